import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askBinary } from './ask-binary.ts';
import { argumentsOf, MODULE, PLACES, ROOT } from './places.ts';
import { resourcesOf } from './state.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const binary = await askBinary();
const QUIET = ['-no-color', '-input=false'];
const UNPROTECTED = '-var=deletion_protection=false';

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
});

/** A project of its own for each place: names are taken, and stay so. */
describe.runIf(binary !== '').each(PLACES)('%s', (place) => {
  let workspace: Workspace;
  let given: readonly string[];
  beforeAll(async () => {
    workspace = await openWorkspace(binary);
    given = [...QUIET, ...argumentsOf(workspace, place)];
    await workspace.must(place, 'init', ...QUIET);
  });
  afterAll(() => {
    workspace.close();
  });
  const apply = (...more: readonly string[]) =>
    workspace.run(place, 'apply', '-auto-approve', ...given, ...more);
  const destroy = (...more: readonly string[]) =>
    workspace.run(place, 'destroy', '-auto-approve', ...given, ...more);

  test('is valid, is applied, needs nothing more, is not destroyed while protected, and then is, whole', {
    timeout: 180_000,
  }, async () => {
    expect(await workspace.must(place, 'validate', '-no-color')).not.toMatch(/Warning/);
    const applied = await apply();
    expect(applied.output).toMatch(
      /Apply complete! Resources: 2\d\d added, 0 changed, 0 destroyed/,
    );
    // 0: nothing to change; 2: something would change.
    const second = await workspace.run(place, 'plan', '-detailed-exitcode', ...given);
    expect(second.output).toContain('No changes.');

    const before = await resourcesOf(workspace, place);
    const refused = await destroy();
    expect(refused.ok).toBe(false);
    expect(refused.output).toContain('deletion_protection is on, so nothing is destroyed');
    // What an example has beside the module is the example's.
    const ours = before.filter(({ address }) => place === MODULE || address.startsWith('module.'));
    expect(ours.length).toBeGreaterThan(200);
    const left = (await resourcesOf(workspace, place)).map(({ address }) => address);
    expect(ours.filter(({ address }) => !left.includes(address))).toEqual([]);

    expect((await apply(UNPROTECTED)).output).toMatch(/Apply complete! .* 0 destroyed/);
    expect((await destroy(UNPROTECTED)).output).toMatch(
      /Destroy complete! Resources: 2\d\d destroyed/,
    );
  });

  test.runIf(place === ROOT)(
    'is not made again under names that Google keeps, and is with the next generations',
    { timeout: 180_000 },
    async () => {
      const again = await apply(UNPROTECTED);
      expect(again.ok).toBe(false);
      const said = again.output.replaceAll(/[│\s]+/g, ' ');
      for (const type of ['google_kms_key_ring', 'google_cloud_tasks_queue'])
        expect(said).toMatch(new RegExp(`${type} [\\w" -]* is there, or its name is blocked`));
      const next = ['-var=queue_generation=2', '-var=kms={"generation":2}', UNPROTECTED];
      expect((await apply(...next)).output).toContain('Apply complete!');
    },
  );
});
