import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const SOURCE_FOLDERS = [
  'agents',
  'console',
  'emulators',
  'examples',
  'functions',
  'project',
  'shared',
  'test',
  'testing',
  'tools',
  'bench',
];

/** One complaint, in the form that editors and terminals turn into a link. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Every .ts and .tsx file of the project below `root`, as slash-separated relative paths. */
export function sourceFiles(root: string): string[] {
  return SOURCE_FOLDERS.flatMap((folder) => walk(root, join(root, folder), ['.ts', '.tsx'])).sort();
}

/**
 * Every file of the project with one of these endings, whatever folder it lies in; nothing hidden,
 * nothing installed.
 */
export function projectFiles(root: string, endings: readonly string[]): string[] {
  return walk(root, root, endings).sort();
}

export function readSource(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function walk(root: string, folder: string, endings: readonly string[]): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : walk(root, path, endings);
    const wanted = endings.some((ending) => entry.name.endsWith(ending));
    return wanted ? [relative(root, path).split(sep).join('/')] : [];
  });
}

function isForeign(folder: string): boolean {
  return folder.startsWith('.') || ['node_modules', 'dist', 'holdfast-data'].includes(folder);
}
