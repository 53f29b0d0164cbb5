import type { Bucket } from '@google-cloud/storage';
import { z } from 'zod';
import type { BlobEntry } from '../../ports/blobs.ts';
import { answerOf } from './outcome.ts';

/** The service's largest page. */
const PAGE = 1_000;

export async function listEntries(
  bucket: Bucket,
  prefix: string,
  limit: number,
  after: string | undefined,
): Promise<readonly BlobEntry[]> {
  const entries: BlobEntry[] = [];
  // The offset is inclusive: one more than asked for.
  const wanted = after === undefined ? limit : limit + 1;
  const query = {
    prefix,
    ...(after !== undefined && { startOffset: after }),
    maxResults: Math.min(wanted, PAGE),
    fields: 'items(name,size,timeCreated),nextPageToken',
  };
  for await (const { name, size, timeCreated } of pagesOf(bucket, query)) {
    if (name === after) continue;
    entries.push({ name, size, createdAt: timeCreated.getTime() });
    if (entries.length === limit) break;
  }
  return entries;
}

/** What was asked for of an object's resource. */
const listed = z.object({
  name: z.string(),
  generation: z.string().default(''),
  size: z.coerce.number().default(0),
  timeCreated: z.coerce.date().default(new Date(0)),
});

/**
 * In the order of their names, generations of one name by age. Where fields are asked for, the
 * client hands out the bare resources, whatever its types say.
 */
async function* pagesOf(bucket: Bucket, query: object): AsyncIterable<z.infer<typeof listed>> {
  for (let next: object | null = { ...query, autoPaginate: false }; next !== null; ) {
    const [files, following]: [unknown[], object | null, ...unknown[]] =
      await bucket.getFiles(next);
    for (const file of files) yield listed.parse(file);
    next = following;
  }
}

/** The name itself comes first among those that begin with it. */
export async function deleteGenerations(bucket: Bucket, name: string): Promise<void> {
  const query = {
    prefix: name,
    versions: true,
    maxResults: 100,
    fields: 'items(name,generation),nextPageToken',
  };
  const doomed: string[] = [];
  for await (const each of pagesOf(bucket, query)) {
    if (each.name !== name) break;
    doomed.push(each.generation);
  }
  for (const generation of doomed) {
    try {
      await bucket.file(name, { generation }).delete();
    } catch (error) {
      if (answerOf(error) !== 404) throw error;
    }
  }
}
