import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfiguration } from '../../tools/terraform/hcl.ts';
import { checkMeaning } from './meaning-check.ts';
import { MODULE } from './places.ts';
import { TERRAFORM } from './workspace.ts';

test('the module means what Google takes', async () => {
  expect(checkMeaning(await readConfiguration(join(TERRAFORM, MODULE)))).toEqual([]);
});

interface Slip {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly says: RegExp;
}

const SLIPS: readonly Slip[] = [
  {
    what: 'an API that is not turned on',
    file: 'services.tf',
    from: '"cloudtasks.googleapis.com",',
    to: '',
    says: /google_cloud_tasks_queue needs cloudtasks/,
  },
  {
    what: 'a grant that a new service would not have',
    file: 'iam.tf',
    from: 'replace_triggered_by = [google_cloudfunctions2_function.main[each.key].id]',
    to: '',
    says: /delivery must be replaced with its function/,
  },
  {
    what: 'a grant that is renewed with another function',
    file: 'iam.tf',
    from: 'replace_triggered_by = [google_cloudfunctions2_function.main["operator"].id]',
    to: 'replace_triggered_by = [google_cloudfunctions2_function.main["a2a"].id]',
    says: /operator must be replaced with its function/,
  },
  {
    what: 'a queue that does not wait for its API',
    file: 'queues.tf',
    from: 'depends_on = [google_project_service.main]',
    to: '',
    says: /google_cloud_tasks_queue\.main must wait for google_project_service\.main/,
  },
  {
    what: 'functions that do not wait for a grant of theirs',
    file: 'functions.tf',
    from: 'google_storage_bucket_iam_member.content,',
    to: '',
    says: /the functions must wait for google_storage_bucket_iam_member\.content/,
  },
  {
    what: 'functions that are built before the builder may read',
    file: 'functions.tf',
    from: 'time_sleep.build_grants,',
    to: '',
    says: /the functions must wait for time_sleep\.build_grants/,
  },
  {
    what: 'a grant that the pause does not wait for',
    file: 'grants.tf',
    from: 'google_project_iam_member.build_fetch,',
    to: '',
    says: /the functions must wait for google_project_iam_member\.build_fetch/,
  },
  {
    what: 'a bucket that is encrypted before the agent has the key',
    file: 'storage.tf',
    from: 'depends_on = [google_project_service.main, time_sleep.key_grants]',
    to: 'depends_on = [google_project_service.main]',
    says: /google_storage_bucket\.content must wait for time_sleep\.key_grants/,
  },
  {
    what: 'an alert on a metric that does not exist',
    file: 'monitoring.tf',
    from: 'run.googleapis.com/container/memory/utilizations',
    to: 'run.googleapis.com/container/memory/utilisation',
    says: /there is no metric run\.googleapis\.com\/container\/memory\/utilisation/,
  },
  {
    what: 'a chart of a metric of ours that nothing counts',
    file: 'dashboard.tf',
    from: '"segment_again"',
    to: '"segment_repeated"',
    says: /there is no metric \$\{local\.metrics\}\/segment_repeated/,
  },
  {
    what: 'a key that rotates more than once a day',
    file: 'kms.tf',
    from: '"${var.kms.rotation_days * 86400}s"',
    to: '"3600s"',
    says: /rotates by 3600s: a day is the least/,
  },
  {
    what: 'a member without its type',
    file: 'iam.tf',
    from: 'member  = google_service_account.build.member',
    to: 'member  = google_service_account.build.email',
    says: /has no type/,
  },
  {
    what: 'a resource that destroy takes although protection is on',
    file: 'protection.tf',
    from: 'google_firestore_backup_schedule.weekly,',
    to: '',
    says: /google_firestore_backup_schedule\.weekly is not under/,
  },
];

test.each(SLIPS)('$what is found', async ({ file, from, to, says }) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-meaning-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(TERRAFORM, MODULE), folder, { recursive: true });
  const path = join(folder, file);
  const right = readFileSync(path, 'utf8');
  expect(right).toContain(from);
  writeFileSync(path, right.replace(from, to));
  expect(checkMeaning(await readConfiguration(folder)).join('\n')).toMatch(says);
});
