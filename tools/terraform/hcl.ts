import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@cdktn/hcl2json';

export type HclBody = Readonly<Record<string, unknown>>;

/** One folder's files, parsed. An expression is a string that holds `${...}`. */
export interface Configuration {
  readonly text: string;
  /** By kind (`resource`, `data`), type and name. */
  readonly typed: (kind: 'resource' | 'data') => readonly Declared[];
  /** By kind (`variable`, `output`), in the order in which they are written. */
  readonly named: (kind: 'variable' | 'output') => ReadonlyMap<string, HclBody>;
  /** Of all `locals` blocks. */
  readonly locals: ReadonlyMap<string, unknown>;
}

export interface Declared {
  readonly type: string;
  readonly name: string;
  readonly body: HclBody;
}

/** Throws what is wrong with the syntax, with file and line. */
export async function readConfiguration(folder: string): Promise<Configuration> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tf'));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const parsed = await Promise.all(
    files.map(async (file, index) => (await parse(file, texts[index] ?? '')) as HclBody),
  );
  const under = (kind: string): readonly (readonly [string, unknown])[] =>
    parsed.flatMap((file) => Object.entries((file[kind] ?? {}) as HclBody));
  return {
    text: texts.join('\n'),
    typed: (kind) =>
      under(kind).flatMap(([type, names]) =>
        Object.entries(names as HclBody).map(([name, body]) => ({ type, name, body: one(body) })),
      ),
    locals: new Map(parsed.flatMap((file) => blocksOf(file['locals']).flatMap(Object.entries))),
    named: (kind) => new Map(under(kind).map(([name, body]) => [name, one(body)])),
  };
}

function one(blocks: unknown): HclBody {
  const [block] = blocksOf(blocks);
  return block ?? {};
}

function blocksOf(blocks: unknown): readonly HclBody[] {
  return (blocks ?? []) as readonly HclBody[];
}
