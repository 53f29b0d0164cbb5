import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentContext, type DefinedAgent, defineAgent } from '../../shared/agent/index.ts';
import { filesDoc } from '../../shared/app/records/files-document.ts';
import { type ContextFiles, headOf } from '../../shared/domain/context-files.ts';
import { scopeOf } from '../../shared/domain/ids.ts';
import type { Workspaces } from '../../shared/ports/workspaces.ts';
import type { StoredObject } from '../../testing/memory-workspaces.ts';
import type { World } from './world.ts';

export const day = 24 * 60 * 60 * 1_000;

/** Every file of a folder, by its path. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(folder, path)).toString()]),
  );
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Does what each line says: `write a.txt some words`, `delete a.txt`, `ask`, `fail`, `list`. */
export async function obey(ctx: AgentContext): Promise<string | undefined> {
  const { folder } = ctx.files;
  const found = JSON.stringify(contentOf(folder));
  for (const line of ctx.text.split('\n')) {
    const [verb, path = '', ...words] = line.split(' ');
    if (verb === 'write') write(folder, path, words.join(' '));
    if (verb === 'delete') rmSync(join(folder, path));
    if (verb === 'show') await ctx.files.artifact(path);
    if (verb === 'ask') ctx.ask('What next?');
    if (verb === 'reject') ctx.reject('No.');
    if (verb === 'fail') throw new Error('failed');
  }
  return found;
}

export const obeying = (
  over: Partial<Pick<DefinedAgent, 'files' | 'parallel' | 'publication'>> = {},
): DefinedAgent =>
  defineAgent({ name: 'obeying', description: 'Obeys.', files: true, run: obey, ...over });

/** The row of a context's files. */
export function contextFiles(world: World, contextId = 'ctx'): Promise<ContextFiles | undefined> {
  return world.app.store.get(filesDoc(scopeOf(world.principal), contextId));
}

/** The files that the next task of the context will start from. */
export async function headFiles(world: World): Promise<Readonly<Record<string, string>>> {
  const files = await contextFiles(world);
  const head = files && headOf(files);
  return head === undefined ? {} : filesAt(world, head.commit.tree);
}

export function filesAt(world: World, tree: string): Readonly<Record<string, string>> {
  const objects = new Map<string, StoredObject>();
  for (const { objects: some } of world.workspaces.repositories.packs.values())
    for (const [id, object] of some) objects.set(id, object);
  const found = objects.get(tree);
  if (found?.kind !== 'tree') throw new Error(`no tree ${tree}`);
  return Object.fromEntries(
    [...found.files].map(([path, id]) => {
      const blob = objects.get(id);
      return [path, blob?.kind === 'blob' ? Buffer.from(blob.body).toString() : 'missing'];
    }),
  );
}

/** A word that lies in some object of the bucket, in a pack that is listed or not, or in a tar. */
export function liesInBucket(world: World, word: string): boolean {
  const inPack = world.workspaces.repositories.objects().some((object) => {
    if (object.kind === 'blob') return Buffer.from(object.body).includes(word);
    if (object.kind === 'tree') return [...object.files.keys()].some((path) => path.includes(word));
    return object.words.message.includes(word);
  });
  // What an agent says of a file it found is its own task's words.
  const archives = [...world.blobs.objects].filter(([name]) => name.endsWith('.tar.gz'));
  return inPack || archives.some(([, { body }]) => Buffer.from(body).includes(word));
}

/** Sends to the context, works, and answers the task's id. */
export async function told(world: World, text: string, contextId = 'ctx'): Promise<string> {
  const { taskId } = await world.send(text, { contextId });
  await world.work();
  return taskId;
}

/** What the agent says that it found when it began. */
export async function foundBy(world: World, taskId: string): Promise<unknown> {
  const { status } = await world.get(taskId);
  const [part] = status.message?.parts ?? [];
  return part !== undefined && 'text' in part ? JSON.parse(part.text) : undefined;
}

/** The same port, but for some calls. */
export function passedOn(below: Workspaces, over: Partial<Workspaces>): Workspaces {
  return {
    open: (...given) => below.open(...given),
    look: (...given) => below.look(...given),
    history: (...given) => below.history(...given),
    read: (...given) => below.read(...given),
    merge: (...given) => below.merge(...given),
    prune: (...given) => below.prune(...given),
    archive: (...given) => below.archive(...given),
    publish: (...given) => below.publish(...given),
    discard: (...given) => below.discard(...given),
    sweep: (...given) => below.sweep(...given),
    remove: (...given) => below.remove(...given),
    ...over,
  };
}

/** Acts once, right after one call: where another process may come between. */
export class OnceAfter {
  act: (() => Promise<unknown>) | undefined;

  async done<T>(call: Promise<T>): Promise<T> {
    const value = await call;
    const { act } = this;
    this.act = undefined;
    await act?.();
    return value;
  }
}
