import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { COMPILED } from './compiled.ts';

const PACKAGE = COMPILED ? '../../package.json' : '../package.json';

const manifest = z.object({ version: z.string() });

/** The release, as its package says it. */
export function version(): string {
  const text = readFileSync(new URL(PACKAGE, import.meta.url), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}
