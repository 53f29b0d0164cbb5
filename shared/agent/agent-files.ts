import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, sep } from 'node:path';
import type { FilesProfile } from '../app/agents.ts';
import { FILES_FORMS, type FilesForm } from '../domain/files.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ArtifactInput } from './artifact-input.ts';
import { undefinedIfThrown } from './unfit.ts';

/** The folder of a task, in an agent's hands. */
export interface AgentFiles {
  /**
   * Absolute path. Holds the files of the task that completed last in the context, or this task's
   * own as it last paused. What is there when the task pauses or completes is kept; what a segment
   * leaves that fails, or whose worker is lost, is not.
   */
  readonly folder: string;
  /**
   * Shows a file of the folder as an artifact of the task, by its path below the folder. Shown
   * again, it takes the place of the first. Throws TypeError for a path outside, and for what is no
   * file or too large for an artifact.
   */
  artifact(path: string, more?: FileArtifact): Promise<void>;
}

export interface FileArtifact {
  /** Default: the path. */
  readonly artifactId?: string;
  /** Default: the name of the file. */
  readonly name?: string;
  readonly description?: string;
  readonly mediaType?: string;
  readonly metadata?: JsonObject;
}

/** What an author says about files: `true` is a git repository with the default limits. */
export type FilesDeclaration = boolean | (Partial<FilesProfile> & { readonly form?: FilesForm });

/** Of one artifact that a file becomes, in bytes: it is held in memory. */
const ARTIFACT = 8 * 1024 * 1024;

export function agentFiles(
  folder: string | undefined,
  show: (artifact: ArtifactInput) => Promise<void>,
): AgentFiles {
  const present = (): string => {
    if (folder === undefined)
      throw new TypeError('this agent has no files: declare it with files: true');
    return folder;
  };
  return {
    get folder() {
      return present();
    },
    async artifact(path, { artifactId = path, mediaType, name, ...more } = {}) {
      const raw = readWithin(present(), path);
      const filename = basename(path);
      const part = { raw, filename, ...(mediaType !== undefined && { mediaType }) };
      await show({ ...more, artifactId, name: name ?? filename, parts: [part] });
    },
  };
}

/**
 * A link that leads out of the folder is followed nowhere. Synchronous: a file of that size is read
 * faster than a promise of it is kept.
 */
function readWithin(folder: string, path: string): Uint8Array {
  const wrong = (why: string): TypeError =>
    new TypeError(`files.artifact: ${JSON.stringify(path)} ${why}`);
  if (path === '' || isAbsolute(path)) throw wrong('must be a path below the folder');
  const root = realpathSync(folder);
  const real = undefinedIfThrown(() => realpathSync(join(root, path)));
  if (real === undefined) throw wrong('is not there');
  if (!real.startsWith(root + sep)) throw wrong('lies outside the folder');
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw wrong('is no file');
    if (stat.size > ARTIFACT) throw wrong(`has ${stat.size} bytes; the limit is ${ARTIFACT}`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** What is wrong with the declaration, in words for the author; empty if nothing. */
export function filesProblems(files: unknown): readonly string[] {
  if (files === undefined || typeof files === 'boolean') return [];
  if (typeof files !== 'object' || files === null)
    return ['files must be true, or hold form and limits.'];
  const { form, limits = {} } = files as { readonly form?: unknown; readonly limits?: unknown };
  const known = form === undefined || FILES_FORMS.some((each) => each === form);
  const wrong = known ? [] : [`files.form must be one of ${FILES_FORMS.join(', ')}.`];
  const named = typeof limits === 'object' && limits !== null ? Object.entries(limits) : [];
  const bad = named.filter(
    ([name, limit]) => !LIMITS.includes(name) || !Number.isSafeInteger(limit) || Number(limit) < 1,
  );
  return [
    ...wrong,
    ...bad.map(
      ([name]) => `files.limits.${name} must be a whole number; there are ${LIMITS.join(', ')}.`,
    ),
  ];
}

const LIMITS: readonly string[] = ['count', 'bytes', 'fileBytes', 'depth'];

export function filesProfile(files: FilesDeclaration | undefined): FilesProfile | undefined {
  if (files === undefined || files === false) return undefined;
  return files === true ? { form: 'git' } : { form: 'git', ...files };
}
