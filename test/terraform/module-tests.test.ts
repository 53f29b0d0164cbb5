import { expect, test } from 'vitest';
import { askBinary } from './ask-binary.ts';
import { openWorkspace } from './workspace.ts';

const binary = await askBinary();

test.runIf(binary !== '')(
  'the tests that platform teams run pass here',
  { timeout: 120_000 },
  async () => {
    const workspace = await openWorkspace(binary);
    try {
      await workspace.must('.', 'init', '-no-color');
      const output = await workspace.must('.', 'test', '-no-color');
      expect(output).toMatch(/Success! \d+ passed, 0 failed/);
    } finally {
      workspace.close();
    }
  },
);
