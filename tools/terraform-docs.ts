// Writes the tables of the module's README from its variables and outputs:
//   node tools/node24.mjs tools/terraform-docs.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from './terraform/hcl.ts';
import { inputsTable, outputsTable, withTable } from './terraform/tables.ts';

const MODULE = join(import.meta.dirname, '../terraform/modules/holdfast');
const README = join(MODULE, 'README.md');

const { named } = await readConfiguration(MODULE);
const text = readFileSync(README, 'utf8');
const inputs = withTable(text, 'inputs', inputsTable(named('variable')));
writeFileSync(README, withTable(inputs, 'outputs', outputsTable(named('output'))));
