import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNING } from '../../functions/function-names.ts';

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

/** The function itself, and where it has code of agents, the process of an agent of its own. */
export function entriesOf(name: string, sources: FunctionSources): Record<string, string> {
  const index = entryOf(name, sources);
  if (!RUNNING.some((each) => each === name)) return { index };
  const { ending, folder } = sources;
  return { index, 'agent-process': join(folder, `functions/agent-process${ending}`) };
}

export function entryOf(name: string, { ending, folder }: FunctionSources): string {
  return join(folder, `functions/${name}/index${ending}`);
}
