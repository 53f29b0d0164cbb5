import { z } from 'zod';
import type { ContextFiles, Descended, TaskFiles } from '../../domain/context-files.ts';
import { compositeKey } from '../../domain/digest.ts';
import type { Scope } from '../../domain/ids.ts';
import type { Fields, Value } from '../../ports/backend.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { Codec, Doc } from '../../ports/store.ts';
import { commitSchema } from './files-schema.ts';

const descended = z.object({ commit: commitSchema, parents: z.array(z.string()) }).nullable();

const filesSchema = z.object({
  v: z.literal(1),
  scope: z.string(),
  repository: z.string(),
  version: z.number(),
  packs: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      objects: z.number(),
      frontBytes: z.number(),
    }),
  ),
  doomed: z.array(z.object({ names: z.array(z.string()), after: z.number() })),
  tasks: z.array(
    z.object({
      task: z.string(),
      order: z.number(),
      base: z.object({ task: z.string(), order: z.number(), commit: commitSchema }).nullable(),
      own: descended,
      merged: descended,
      branch: z.boolean(),
      barred: z.boolean(),
    }),
  ),
  pruneAt: z.number().nullable(),
});

const filesCodec: Codec<ContextFiles> = {
  encode: ({ packs, doomed, tasks, ...files }): Fields => ({
    ...files,
    v: 1,
    packs: packs.map((pack) => ({ ...pack })),
    doomed: doomed.map((each) => ({ ...each })),
    tasks: tasks.map(fieldsOf),
  }),
  decode(fields, path) {
    const parsed = filesSchema.safeParse(fields);
    if (!parsed.success) throw new Unreadable(`document ${path}`, parsed.error);
    return parsed.data;
  },
};

function fieldsOf({ base, own, merged, ...task }: TaskFiles): Fields {
  return {
    ...task,
    base: base && { ...base, commit: { ...base.commit } },
    own: descendedFields(own),
    merged: descendedFields(merged),
  };
}

const descendedFields = (of: Descended | null): Value =>
  of && { commit: { ...of.commit }, parents: of.parents };

/** The files of one context: under the name of the context's own row, and apart from it. */
export const filesDoc = (scope: Scope, contextId: string): Doc<ContextFiles> => ({
  path: `repositories/${compositeKey('context', scope, contextId)}`,
  codec: filesCodec,
  remembered: true,
});
