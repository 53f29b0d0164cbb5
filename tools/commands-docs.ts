// Writes docs/commands.md from the tables of commands and their help:
//   node tools/node24.mjs tools/commands-docs.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './docs/commands-page.ts';

writeFileSync(join(import.meta.dirname, '../docs/commands.md'), await commandsPage());
