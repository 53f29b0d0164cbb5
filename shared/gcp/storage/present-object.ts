import type { Bucket, FileMetadata } from '@google-cloud/storage';
import { answerOf } from './outcome.ts';

/** Custom metadata that tells our write of an object from all others. */
export const MARK = 'holdfast-write';

export function metadataOf(bucket: Bucket, name: string): Promise<FileMetadata | undefined> {
  return unlessGone(async () => (await bucket.file(name).getMetadata())[0]);
}

/** The object as the write that made that mark left it. */
export async function ownWrite(
  bucket: Bucket,
  name: string,
  mark: string,
): Promise<FileMetadata | undefined> {
  const present = await metadataOf(bucket, name);
  return present?.metadata?.[MARK] === mark ? present : undefined;
}

export async function unlessGone<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (answerOf(error) === 404 && !isMissingBucket(error)) return undefined;
    throw error;
  }
}

/**
 * A missing bucket has the status of a missing object; it is no answer but a mistake of the
 * deployment.
 */
function isMissingBucket(error: unknown): boolean {
  return error instanceof Error && /\bbucket does not exist\b/i.test(error.message);
}
