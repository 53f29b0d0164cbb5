import { createWorld, type World } from 'holdfast/testing';
import { expect, it } from 'vitest';
import { codeKeeper } from './agent.ts';

const told = (world: World, words: string) => world.send(words, { contextId: 'code' });

it('each task of a context goes on from the files of the one before', async () => {
  const world = createWorld({ agents: [codeKeeper] });
  const first = await told(world, 'write greet.js\nexport const greet = 1;');
  expect(first.text).toBe('Changed greet.js; 1 files.');
  await told(world, "write lib/main.js\nimport { greet } from '../greet.js';");
  const third = await told(world, 'rename greet to welcome\ndelete lib/none.js');
  expect([third.state, third.text]).toEqual(['FAILED', 'lib/none.js is not there.']);
  // What a task that failed had changed is not what the next one finds.
  const fourth = await told(world, 'rename greet to welcome');
  expect(fourth.text).toBe('Changed greet.js, lib/main.js; 2 files.');
  expect(fourth.artifacts.map(({ name, parts }) => [name, parts])).toEqual([
    ['greet.js', [{ text: 'export const welcome = 1;\n', filename: 'greet.js' }]],
    [
      'lib/main.js',
      [{ text: "import { welcome } from '../greet.js';\n", filename: 'lib/main.js' }],
    ],
  ]);
  expect((await world.send('delete greet.js')).state).toBe('FAILED');
  await world.close();
});

it('a path that leads out of the folder is refused, and words are asked about', async () => {
  const world = createWorld({ agents: [codeKeeper] });
  expect((await told(world, 'write ../out.js\nx')).text).toBe(
    '../out.js lies outside the code base.',
  );
  expect((await told(world, 'hello')).state).toBe('INPUT_REQUIRED');
});
