import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of functions/ with an entry point that is no function. */
const OTHERS = ['agents', 'start'];

/** Where the functions' code is, and what it is written in. */
export interface FunctionSources {
  /** Has functions/. */
  readonly folder: string;
  readonly ending: '.ts' | '.js';
}

/**
 * Each folder of functions/ with an index.ts is a function of its name, so that a new one is packed
 * without being listed here.
 */
export function functionNames(folder: string, ending: FunctionSources['ending'] = '.ts') {
  return readdirSync(join(folder, 'functions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OTHERS.includes(entry.name))
    .map((entry) => entry.name)
    .filter((name) => existsSync(entryOf(name, { folder, ending })))
    .toSorted();
}

export function entryOf(name: string, { ending, folder }: FunctionSources): string {
  return join(folder, `functions/${name}/index${ending}`);
}
