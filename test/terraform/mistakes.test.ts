import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askBinary } from './ask-binary.ts';
import { MISTAKES } from './mistakes.ts';
import { argumentsOf, MODULE } from './places.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const binary = await askBinary();

/**
 * Guards the checks themselves: a provider for tests that accepts everything would prove nothing.
 */
describe.runIf(binary !== '')('a mistake in the module is caught', () => {
  let workspace: Workspace;
  let given: readonly string[];

  beforeAll(async () => {
    workspace = await openWorkspace(binary);
    given = argumentsOf(workspace, MODULE);
    await workspace.must(MODULE, 'init', '-no-color');
  });
  afterAll(() => {
    workspace.close();
  });

  test.each(MISTAKES)('$what', async ({ file, from, to, says, only }) => {
    const path = join(workspace.folder, MODULE, file);
    const right = readFileSync(path, 'utf8');
    workspace.edit(join(MODULE, file), (text) => text.replace(from, to));
    try {
      const commands = only === 'plan' ? [['validate'], ['plan', ...given]] : [['validate']];
      let output = '';
      for (const [command = '', ...args] of commands) {
        const outcome = await workspace.run(MODULE, command, '-no-color', ...args);
        output = outcome.output;
        expect(outcome.ok).toBe(only === 'plan' && command === 'validate');
      }
      expect(output.replaceAll(/\s*[│╷╵]?\s*\n[│ ]*/g, ' ')).toMatch(says);
    } finally {
      writeFileSync(path, right);
    }
  });
});
