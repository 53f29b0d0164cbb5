import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROJECT } from '../packages/unpack.ts';

const stepSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  waitFor: z.array(z.string()).min(1),
  dir: z.string().optional(),
  env: z.array(z.string().regex(/^[A-Za-z_]\w*=/)).default([]),
  script: z.string(),
});
/**
 * The part of Cloud Build's schema that we use; it refuses a field that it does not know, and so
 * does this.
 */
const buildSchema = z.strictObject({
  steps: z.array(stepSchema).min(1),
  substitutions: z.record(z.string().regex(/^_[A-Z0-9_]+$/), z.string()).default({}),
  options: z.strictObject({ logging: z.literal('CLOUD_LOGGING_ONLY') }),
  timeout: z.string().regex(/^\d+s$/),
});
export type Step = z.infer<typeof stepSchema>;
export type BuildFile = z.infer<typeof buildSchema>;

export const FILES = ['cloudbuild.yaml', 'cloudbuild.pr.yaml'] as const;

export function readBuildFile(name: (typeof FILES)[number]): BuildFile {
  return buildSchema.parse(parse(readFileSync(join(PROJECT, name), 'utf8')));
}

/**
 * The names behind `$` in a text, as Cloud Build finds its substitutions and a shell its variables.
 */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
}
