// Writes docs/error-codes.md from the tables of errors:
//   node tools/node24.mjs tools/error-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorPage } from './docs/error-page.ts';

writeFileSync(join(import.meta.dirname, '../docs/error-codes.md'), errorPage());
