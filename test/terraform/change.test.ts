import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askBinary } from './ask-binary.ts';
import { FUNCTIONS } from '../../functions/function-names.ts';
import { argumentsOf, ROOT, STAND_IN } from './places.ts';
import { changesOf } from './state.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const binary = await askBinary();

describe.runIf(binary !== '')('a change of a deployment', () => {
  let workspace: Workspace;
  let given: readonly string[];

  beforeAll(async () => {
    workspace = await openWorkspace(binary);
    given = argumentsOf(workspace, ROOT);
    await workspace.must(ROOT, 'init', '-no-color');
    await workspace.must(ROOT, 'apply', '-auto-approve', '-no-color', ...given);
  }, 120_000);
  afterAll(() => {
    workspace.close();
  });

  const planned = async (...more: readonly string[]): Promise<Readonly<Record<string, string>>> => {
    const args = ['-refresh=false', '-out=change', '-no-color', ...given, ...more];
    await workspace.must(ROOT, 'plan', ...args);
    return changesOf(workspace, ROOT, 'change');
  };
  const replaced = (changes: Readonly<Record<string, string>>): readonly string[] =>
    Object.keys(changes).filter((address) => /delete/.test(changes[address] ?? ''));
  const types = (addresses: readonly string[]): readonly string[] =>
    [
      ...new Set(addresses.map((address) => /(google_\w+\.\w+)/.exec(address)?.[1] ?? '')),
    ].toSorted();

  test('a new zip of one function updates that function in place and touches nothing else', async () => {
    const zip = join(workspace.folder, 'tests/fixture/new.txt');
    writeFileSync(zip, 'a new build');
    const list = join(workspace.folder, 'tests/fixture/new.json');
    const sha256 = createHash('sha256').update('a new build').digest('hex');
    const before = { path: 'stand-in.txt', sha256: STAND_IN };
    const packages = Object.fromEntries(FUNCTIONS.map((name) => [name, before]));
    writeFileSync(list, JSON.stringify({ ...packages, worker: { path: 'new.txt', sha256 } }));
    const changes = await planned(`-var=packages_file=${list}`);
    expect(changes).toEqual({
      'module.holdfast.google_cloudfunctions2_function.main["worker"]': 'update',
      'module.holdfast.google_storage_bucket_object.package["worker"]': 'delete/create',
    });
  });

  test('a new label replaces nothing', async () => {
    const changes = await planned('-var=labels={"team":"agents"}');
    expect(Object.keys(changes).length).toBeGreaterThan(10);
    expect(replaced(changes)).toEqual([]);
  });

  test('another size of a function updates it and the queues that follow from it', async () => {
    const changes = await planned('-var=worker={"max_instances":100}');
    expect(replaced(changes)).toEqual([]);
    expect(types(Object.keys(changes))).toEqual([
      'google_cloud_tasks_queue.main',
      'google_cloudfunctions2_function.main',
      'google_monitoring_alert_policy.metric',
    ]);
  });

  test('more shards add queues and replace none', async () => {
    const changes = await planned('-var=queues={"shards":4}');
    expect(replaced(changes)).toEqual([]);
    expect(Object.values(changes)).not.toContain('delete');
  });

  test('a new generation replaces the queues and what is granted on them, and no stored data', async () => {
    const changes = await planned('-var=queue_generation=2');
    expect(types(replaced(changes))).toEqual([
      'google_cloud_tasks_queue.main',
      'google_cloud_tasks_queue_iam_member.enqueuer',
    ]);
  });

  test('another region replaces what lies in it, the database and the key with it', async () => {
    const changes = await planned('-var=region=us-central1');
    expect(types(replaced(changes))).toMatchInlineSnapshot(`
      [
        "google_artifact_registry_repository.main",
        "google_artifact_registry_repository_iam_member.build_images",
        "google_cloud_run_service_iam_member.delivery",
        "google_cloud_scheduler_job.sweep",
        "google_cloud_tasks_queue.main",
        "google_cloud_tasks_queue_iam_member.enqueuer",
        "google_cloudfunctions2_function.main",
        "google_firestore_database.main",
        "google_kms_crypto_key.main",
        "google_kms_crypto_key_iam_member.function",
        "google_kms_key_ring.main",
        "google_project_iam_member.build_fetch",
        "google_storage_bucket.content",
        "google_storage_bucket.source",
      ]
    `);
  });

  test('the database stays where it is when its location was given', async () => {
    const located = '-var=database={"location":"europe-west1"}';
    const changes = await planned('-var=region=us-central1', located);
    expect(types(replaced(changes))).not.toContain('google_firestore_database.main');
  });
});
