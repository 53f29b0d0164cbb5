import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

const count = z.number().int();
const path = z.string().meta({ description: 'below the folder, with `/`' });
const kind = z.enum(['file', 'program', 'link']);

const commit = {
  id: z.string().meta({ description: 'as git has it' }),
  at: instant,
  author: z.string(),
  message: z.string(),
  parents: z.array(z.string()),
};

export const fileList = component(
  'RunFiles',
  z.object({
    commit: z.object(commit).optional().meta({ description: 'absent: there are no files' }),
    own: z.boolean().meta({ description: 'the run has committed them; else it began with them' }),
    files: z.array(z.object({ path, kind })),
    changes: z
      .array(z.object({ path, change: z.enum(['added', 'changed', 'removed']) }))
      .optional()
      .meta({ description: 'against what was there before; absent where that is not kept' }),
    more: count.meta({ description: 'so many files or changes are not in the lists' }),
  }),
);

export const fileContent = component(
  'FileContent',
  z.object({
    path,
    kind,
    bytes: count.meta({ description: 'of the whole file' }),
    text: z
      .string()
      .optional()
      .meta({ description: 'of a link where it leads; absent where the file is no text in UTF-8' }),
    cut: z.boolean().meta({ description: '`text` has the first 256 KiB; the rest is downloaded' }),
  }),
);

export const commitList = component(
  'Commits',
  z.object({
    commits: z
      .array(
        z.object({
          ...commit,
          task: z.string().meta({ description: 'whose completion, question or pause made it' }),
          count: count.meta({ description: 'files' }),
          bytes: count,
          branch: z.boolean().meta({
            description:
              'it overlapped with another task, and stands beside the files of the context',
          }),
          head: z.boolean().meta({ description: 'the next task of the context begins with it' }),
        }),
      )
      .meta({ description: 'the newest first' }),
  }),
);
