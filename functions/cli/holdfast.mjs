#!/usr/bin/env node
// `npx --no holdfast` from a checkout, under whatever Node: the sources need Node 24.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('main.ts', import.meta.url)));
await import('../../tools/node24.mjs');
