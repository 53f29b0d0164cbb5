import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askBinary } from './ask-binary.ts';
import { argumentsOf, PLACES } from './places.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const binary = await askBinary();
const QUIET = ['-no-color', '-input=false'];

describe.runIf(binary !== '')('the real terraform, against the provider for tests', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openWorkspace(binary);
  });
  afterAll(() => {
    workspace.close();
  });

  test('every file is laid out as terraform fmt wants it', async () => {
    const { ok, output } = await workspace.run('.', 'fmt', '-check', '-recursive');
    expect(output).toBe('');
    expect(ok).toBe(true);
  });

  test.each(PLACES)(
    '%s is valid, can be applied, needs nothing more, and can be destroyed',
    { timeout: 120_000 },
    async (place) => {
      const given = argumentsOf(workspace, place);
      await workspace.must(place, 'init', ...QUIET);
      expect(await workspace.must(place, 'validate', '-no-color')).not.toMatch(/Warning/);
      const applied = await workspace.must(place, 'apply', '-auto-approve', ...QUIET, ...given);
      expect(applied).toMatch(/Apply complete! Resources: 2\d\d added, 0 changed, 0 destroyed/);
      // 0: nothing to change; 2: something would change.
      const second = await workspace.run(place, 'plan', '-detailed-exitcode', ...QUIET, ...given);
      expect(second.output).toContain('No changes.');
      const destroy = ['destroy', '-auto-approve', '-refresh=false'];
      expect(await workspace.must(place, ...destroy, ...QUIET, ...given)).toMatch(
        /Destroy complete! Resources: 2\d\d destroyed/,
      );
    },
  );
});
