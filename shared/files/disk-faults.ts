import { relative } from 'node:path';
import { isFault, Unavailable } from '../ports/faults.ts';
import { WorkspaceRefused } from '../ports/workspaces.ts';

/** A file is not there or not what it was a moment ago, or its owner lets no one read it. */
const OWN_DOING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM', 'EINVAL']);

/** An error of the file system as a fault: a disk that is full or broken, where another may do. */
export function diskFault(error: unknown): unknown {
  if (isFault(error) || codeOf(error) === undefined) return error;
  return new Unavailable('the disk for folders of tasks', error);
}

/** The same for a folder that an agent was at work in: its own doing refuses the file. */
export function refusedOrFault(folder: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !OWN_DOING.has(code)) return diskFault(error);
  const path = pathOf(error);
  if (!path.startsWith(`${folder}/`)) return diskFault(error);
  const rule = `can't be read (${code}): it was changed meanwhile, or bars its readers`;
  return new WorkspaceRefused(relative(folder, path), rule);
}

function codeOf(error: unknown): string | undefined {
  const isOfSystem = error instanceof Error && 'code' in error && 'syscall' in error;
  return isOfSystem && !isFault(error) ? String(error.code) : undefined;
}

function pathOf(error: unknown): string {
  return error instanceof Error && 'path' in error ? String(error.path) : '';
}
