import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of functions/ with an entry point that is no function. */
const OTHERS = ['agents', 'start'];

/**
 * Each folder of functions/ with an index.ts is a function of its name, so that a new one is packed
 * without being listed here.
 */
export function functionNames(root: string): readonly string[] {
  return readdirSync(join(root, 'functions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OTHERS.includes(entry.name))
    .map((entry) => entry.name)
    .filter((name) => existsSync(join(root, entryOf(name))))
    .toSorted();
}

export function entryOf(name: string): string {
  return `functions/${name}/index.ts`;
}
