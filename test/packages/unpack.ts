import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzip } from './unzip.ts';

export const PROJECT = join(import.meta.dirname, '../..');

interface Manifest {
  readonly main: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * A zip in a folder of its own, with what its package.json names (and nothing else) installed
 * beside it.
 */
export function unpack(zip: Uint8Array, folder: string): Manifest {
  for (const [path, contents] of unzip(zip)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  const text = Buffer.from(unzip(zip).get('package.json') ?? []).toString();
  const manifest = JSON.parse(text) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules', name), link, 'junction');
  }
  return manifest;
}
