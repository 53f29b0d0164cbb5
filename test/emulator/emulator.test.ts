import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findJar } from '../../emulators/firestore/find-jar.ts';
import { randomProject, useFirestoreEmulator } from './firestore.ts';
import { startEmulator } from '../../emulators/firestore/start.ts';

// Read before a test sets it.
const foreign = process.env['FIRESTORE_EMULATOR_HOST'] !== undefined;

test('a test file that asks for the Firestore emulator gets one that answers', async () => {
  const host = await useFirestoreEmulator();
  const answer = await fetch(
    `http://${host}/v1/projects/${randomProject()}/databases/(default)/documents/a/1`,
  );
  expect(answer.status).toBe(404);
});

test('where there is no emulator the message says how to get one', async () => {
  const nowhere = mkdtempSync(join(tmpdir(), 'holdfast-jar-'));
  onTestFinished(() => rmSync(nowhere, { recursive: true }));
  const env = { FIRESTORE_EMULATOR_JAR: join(nowhere, 'missing.jar') };
  await expect(startEmulator(env)).rejects.toThrow('FIRESTORE_EMULATOR_JAR');
});

test('the emulator ends with the process that started it, even when that is killed', async (context) => {
  context.skip(foreign && findJar(process.env) === undefined, 'someone else started the emulator');
  const started = join(import.meta.dirname, '../../emulators/firestore/start.ts');
  const script = `import { startEmulator } from ${JSON.stringify(started)};
    const { host } = await startEmulator(); process.stdout.write(host); setInterval(() => {}, 1000);`;
  const env = { ...process.env };
  delete env['FIRESTORE_EMULATOR_HOST'];
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(owner.stdout, 'data')) as [Buffer];
  const host = chunk.toString();
  expect((await fetch(`http://${host}/`)).status).toBe(200);
  owner.kill('SIGKILL');
  await expect
    .poll(
      () =>
        fetch(`http://${host}/`).then(
          () => 'answers',
          () => 'gone',
        ),
      { timeout: 10_000 },
    )
    .toBe('gone');
});
