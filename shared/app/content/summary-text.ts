import { createHash } from 'node:crypto';
import { taskId } from '../../domain/ids.ts';
import type { App } from '../app.ts';
import { readableViewCodec, viewDoc } from '../records/documents.ts';
import { isNotReadable } from '../records/unreadable.ts';
import { Subkeys } from '../subkeys.ts';
import { type SealingKey, viewKeyOf, whoseOf } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';

const BINDING = ['summary'] as const;

/**
 * The text of a summary, sealed so that it opens with the keys of all the tasks that it is made of:
 * the commit that destroys one of them, for a purge or a scrub, ends the summary with it (decision
 * 0053). Without text if one of them can't be read any more. Throws Unavailable.
 */
export async function sealText(
  app: App,
  workKey: SealingKey,
  sources: readonly string[],
  text: string,
): Promise<{ readonly text?: string }> {
  if (sources.length === 0) return { text };
  const key = await jointKey(app, workKey, sources);
  if (key === undefined) return {};
  const sealed = seal(key, BINDING, app.ids.bytes(12), Buffer.from(text));
  return { text: Buffer.from(sealed).toString('base64') };
}

/** The way back; without text where a key is gone. Throws Unavailable. */
export async function openText(
  app: App,
  workKey: SealingKey,
  sources: readonly string[],
  text: string,
): Promise<{ readonly text?: string }> {
  if (sources.length === 0) return { text };
  const key = await jointKey(app, workKey, sources);
  if (key === undefined) return {};
  try {
    const plain = unseal(key, BINDING, Buffer.from(text, 'base64'));
    return { text: Buffer.from(plain).toString('utf8') };
  } catch (error) {
    // A source has another key by now: it was redacted.
    if (isNotReadable(error)) return {};
    throw error;
  }
}

/** Of what each source's key says about this run: without one of them it can't be made. */
async function jointKey(
  app: App,
  workKey: SealingKey,
  sources: readonly string[],
): Promise<SealingKey | undefined> {
  const ids = sources.map((id) => taskId(id)).filter((id) => id !== undefined);
  const docs = ids.map((id) => ({ ...viewDoc(id), codec: readableViewCodec }));
  const hash = createHash('sha256');
  for (const view of await app.store.getAll(docs)) {
    if (view === undefined) return undefined;
    try {
      hash.update((await viewKeyOf(app, view)).keys.mac('summaries', workKey.taskId));
    } catch (error) {
      if (isNotReadable(error)) return undefined;
      throw error;
    }
  }
  const keys = new Subkeys(hash.digest());
  return { ...whoseOf(workKey), keys, scrubbedRevision: 0, work: true };
}
