import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './readme.ts';

/**
 * A folder for examples of the documentation: inside the project, so that `holdfast/agent` means
 * this very package, and where no check of the sources looks.
 */
export async function exampleFolder(): Promise<string> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, 'example-'));
}
