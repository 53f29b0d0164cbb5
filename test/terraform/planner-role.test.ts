import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfiguration } from '../../tools/terraform/hcl.ts';
import { MODULE } from './places.ts';
import { TERRAFORM } from './workspace.ts';

const role = z
  .object({ includedPermissions: z.array(z.string()) })
  .parse(parse(readFileSync(join(TERRAFORM, 'ci/planner.yaml'), 'utf8')));
const permissions = role.includedPermissions;

/**
 * What a refresh of each type asks for. Grants are read by the policy of what they are on.
 * Undefined: nothing of the project's; docs/deploying.md says where else it is granted.
 */
const READ: Readonly<Record<string, readonly string[] | undefined>> = {
  google_artifact_registry_repository: ['artifactregistry.repositories.get'],
  google_billing_budget: undefined,
  google_cloud_run_service: ['run.services.get'],
  google_cloud_run_v2_service: ['run.services.get'],
  google_cloud_scheduler_job: ['cloudscheduler.jobs.get'],
  google_cloud_tasks_queue: ['cloudtasks.queues.get'],
  google_cloudfunctions2_function: ['cloudfunctions.functions.get', 'run.services.get'],
  google_firestore_backup_schedule: ['datastore.backupSchedules.get'],
  google_firestore_database: ['datastore.databases.getMetadata'],
  google_firestore_field: ['datastore.indexes.get', 'datastore.indexes.list'],
  google_firestore_index: ['datastore.indexes.get', 'datastore.indexes.list'],
  google_kms_crypto_key: ['cloudkms.cryptoKeys.get'],
  google_kms_key_ring: ['cloudkms.keyRings.get'],
  google_logging_metric: ['logging.logMetrics.get'],
  google_monitoring_alert_policy: ['monitoring.alertPolicies.get'],
  google_monitoring_dashboard: ['monitoring.dashboards.get'],
  google_project: ['resourcemanager.projects.get'],
  google_project_service: ['serviceusage.services.get', 'serviceusage.services.list'],
  google_secret_manager_secret: ['secretmanager.secrets.get'],
  google_service_account: ['iam.serviceAccounts.get'],
  google_storage_bucket: ['storage.buckets.get'],
  google_storage_bucket_object: undefined,
};

function neededFor(type: string): readonly string[] {
  const on = type.replace(/_iam_member$/, '');
  if (!(on in READ)) return [`a row for ${on} in this test`];
  const [first = ''] = READ[on] ?? [];
  return on === type ? (READ[on] ?? []) : [first.replace(/\.\w+$/, '.getIamPolicy')];
}

test('the role of who plans reads every type of the module, and has nothing that it does not need', async () => {
  const { typed } = await readConfiguration(join(TERRAFORM, MODULE));
  const types = [...typed('resource'), ...typed('data')].map(({ type }) => type);
  const needed = types.filter((type) => type.startsWith('google_')).flatMap(neededFor);
  expect([...new Set(needed)].filter((each) => !permissions.includes(each))).toEqual([]);
  const more = ['datastore.backupSchedules.list', 'run.services.get'];
  const spare = permissions.filter((each) => !needed.includes(each) && !more.includes(each));
  expect(spare).toEqual([]);
});

test('it changes nothing and reads no content', () => {
  for (const each of permissions) expect(each).toMatch(/\.(get|list|getIamPolicy|getMetadata)$/);
  const content = /entities|objects|versions|\.tasks\.|logEntries|Versions|use/;
  expect(permissions.filter((each) => content.test(each.replace('serviceusage', '')))).toEqual([]);
});
