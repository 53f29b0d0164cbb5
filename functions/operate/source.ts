import { statSync } from 'node:fs';
import { sourceOf } from '../../shared/app/restore/own-source.ts';
import { openPlainFolder } from '../../shared/embedded/plain-folder.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import type { ArchiveSource } from '../../shared/ports/archive-source.ts';
import { EMULATORS } from '../emulator-variables.ts';
import type { Environment } from '../google-ports.ts';
import { BadConfiguration } from '../settings.ts';

const BUCKET = /^gs:\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])\/?$/;

/** `gs://bucket`, or a folder that one was copied to. Throws BadConfiguration. */
export function openSource(place: string, environment: Environment): ArchiveSource {
  const bucket = BUCKET.exec(place)?.[1];
  if (bucket !== undefined) {
    const projectId = environment['GOOGLE_CLOUD_PROJECT'];
    const endpoint = environment[EMULATORS.storage];
    return sourceOf(
      createGcsBlobs({ bucket, ...(projectId && { projectId }), ...(endpoint && { endpoint }) }),
    );
  }
  if (place.startsWith('gs://'))
    throw new BadConfiguration(`${place} is no bucket; give gs:// and its name, nothing behind it`);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new BadConfiguration(`there is no folder ${place}; a bucket is given as gs://its-name`);
  return openPlainFolder(place);
}
