import { z } from 'zod';
import { FILES_FORMS } from '../../domain/files.ts';

export const commitSchema = z.object({
  id: z.string(),
  tree: z.string(),
  count: z.number(),
  bytes: z.number(),
});

/** In a run's row. */
export const runFilesSchema = z.object({
  repository: z.string(),
  form: z.enum(FILES_FORMS),
  commit: commitSchema.exactOptional(),
  dueAt: z.number().exactOptional(),
});
