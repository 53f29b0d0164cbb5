import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Ended, runProgram } from '../terraform/run-program.ts';
import { NAME, optionsOf, type Place } from './installed.ts';

const VERSION = '30.5.2';

const SPEC = `import { defineAgent } from '${NAME}/agent';
import { createWorld } from '${NAME}/testing';

const greeter = defineAgent({
  name: 'greeter',
  description: 'Greets you by name.',
  run: (ctx) => (ctx.text === '' ? ctx.ask('Who?') : \`Hello, \${ctx.text}!\`),
});

test('a name is greeted', async () => {
  const world = createWorld({ agents: [greeter] });
  expect(await world.send('Ada')).toMatchObject({ state: 'COMPLETED', text: 'Hello, Ada!' });
  await world.close();
});
`;

/**
 * Installs jest beside a project that has the package, and runs a test there as docs/testing.md
 * says. Undefined: it can't be installed here.
 */
export async function runJest(place: Place): Promise<Ended | undefined> {
  const home = join(dirname(place.folder), 'jest');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `jest@${VERSION}`];
  const installed = await runProgram('npm', install, optionsOf({ ...place, folder: home }));
  if (installed.code !== 0) return undefined;
  writeFileSync(join(place.folder, 'greeter.jest.mjs'), SPEC);
  const config = { rootDir: place.folder, testMatch: ['**/*.jest.mjs'], transform: {} };
  const jest = join(home, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', jest, '--config', JSON.stringify(config)];
  return runProgram(place.node ?? process.execPath, args, optionsOf(place));
}
