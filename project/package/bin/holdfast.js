#!/usr/bin/env node
// The command of the package. Plain JavaScript that any Node reads, so that an old one is told.
import module from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18) || major === 23) {
  process.stderr.write(
    `holdfast needs Node 24, or 22.18 or newer of 22; this is ${process.version}.\n` +
      'Install one from https://nodejs.org/en/download and run the command again.\n',
  );
  process.exit(1);
}

// What is loaded is compiled once, and not at each start; also in the processes that it starts.
const installed = `${sep}node_modules${sep}`;
const at = root.lastIndexOf(installed);
if (at >= 0 && process.env.NODE_COMPILE_CACHE === undefined) {
  const cache = join(root.slice(0, at + installed.length), '.cache', 'holdfast');
  process.env.NODE_COMPILE_CACHE = cache;
  module.enableCompileCache(cache);
}

await import('../lib/functions/cli/main.js');
