import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../terraform/run-program.ts';
import { PROJECT } from './installed.ts';

/** Kept from run to run. */
const CACHE = join(PROJECT, '.cache', 'node22');
const BUILD = `node-${process.platform}-${process.arch}`;

/**
 * The older of the two lines of Node that the package serves, as npm has it. Undefined where npm
 * has no such build, or can't be reached.
 */
export async function findNode22(): Promise<string | undefined> {
  const node = join(CACHE, 'node_modules', BUILD, 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--prefix', CACHE, '--prefer-offline', '--no-audit', `${BUILD}@22`];
  await runProgram('npm', args);
  return existsSync(node) ? node : undefined;
}
