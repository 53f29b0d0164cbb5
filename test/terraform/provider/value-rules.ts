// Rules that the provider's Go code or Google's services check and no schema holds, for the values
// this project writes.

export interface Form {
  readonly form: RegExp;
  readonly is: string;
}

const DURATION: Form = { form: /^\d+(\.\d{1,9})?s$/, is: 'a number of seconds such as "3.5s"' };
const NUMBER = '(\\*|\\d+(-\\d+)?)(/\\d+)?';
const LIST = `${NUMBER}(,${NUMBER})*`;

/** By `type.path` without positions. */
export const FORMS: Readonly<Record<string, Form>> = {
  'google_cloud_scheduler_job.attempt_deadline': DURATION,
  'google_cloud_scheduler_job.http_target.body': {
    form: /^[A-Za-z0-9+/]*={0,2}$/,
    is: 'base64',
  },
  'google_cloud_scheduler_job.schedule': {
    form: new RegExp(`^${LIST}( ${LIST}){4}$`),
    is: 'a unix-cron expression',
  },
  'google_cloud_tasks_queue.name': { form: /^[A-Za-z0-9-]{1,100}$/, is: 'a queue id' },
  'google_cloud_tasks_queue.retry_config.max_backoff': DURATION,
  'google_cloud_tasks_queue.retry_config.max_retry_duration': DURATION,
  'google_cloud_tasks_queue.retry_config.min_backoff': DURATION,
  'google_cloudfunctions2_function.name': {
    form: /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    is: 'at most 63 lower-case letters, digits and dashes',
  },
  'google_cloudfunctions2_function.service_config.available_memory': {
    form: /^\d+(\.\d+)?(k|M|G|Mi|Gi)$/,
    is: 'a quantity such as "512Mi"',
  },
  'google_artifact_registry_repository.cleanup_policies.condition.older_than': DURATION,
  'google_firestore_backup_schedule.retention': DURATION,
  'google_firestore_database.name': {
    form: /^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$/,
    is: '"(default)" or 4 to 63 lower-case letters, digits and dashes',
  },
  'google_kms_crypto_key.rotation_period': {
    form: /^(86[4-9]\d\d|8[7-9]\d{3}|9\d{4}|\d{6,})s$/,
    is: 'a day in seconds at least',
  },
  'google_monitoring_alert_policy.alert_strategy.auto_close': DURATION,
  'google_monitoring_alert_policy.conditions.condition_absent.duration': DURATION,
  'google_monitoring_alert_policy.conditions.condition_threshold.duration': DURATION,
  'google_service_account.account_id': {
    form: /^[a-z][-a-z0-9]{4,28}[a-z0-9]$/,
    is: '6 to 30 lower-case letters, digits and dashes',
  },
  'google_service_account.description': { form: /^.{0,256}$/s, is: 'at most 256 characters' },
  'google_service_account.display_name': { form: /^.{0,100}$/s, is: 'at most 100 characters' },
  'google_storage_bucket.name': { form: /^[a-z0-9][a-z0-9_-]{1,61}[a-z0-9]$/, is: 'a bucket name' },
};

/**
 * Labels of every resource:
 * https://cloud.google.com/resource-manager/docs/labels-overview#requirements
 */
export const LABEL_KEY = /^[a-z][a-z0-9_-]{0,62}$/;
export const LABEL_VALUE = /^[a-z0-9_-]{0,63}$/;

/** Exactly one of each group. */
export const EXACTLY_ONE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  google_cloud_scheduler_job: [['http_target', 'pubsub_target', 'app_engine_http_target']],
  google_firestore_backup_schedule: [['daily_recurrence', 'weekly_recurrence']],
  google_storage_bucket_object: [['source', 'content']],
};

const MEMBER =
  /^(allUsers|allAuthenticatedUsers|(user|group|serviceAccount|domain|principal|principalSet):\S+)$/;

/**
 * The roles that may be granted on a type of resource; another one is a slip, or has to be put in
 * here on purpose.
 */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  google_artifact_registry_repository_iam_member: ['roles/artifactregistry.writer'],
  // On the function itself the API refuses this role; it belongs on the Cloud Run service behind
  // it.
  google_cloud_run_service_iam_member: ['roles/run.invoker'],
  google_cloud_tasks_queue_iam_member: ['roles/cloudtasks.enqueuer'],
  google_kms_crypto_key_iam_member: [
    'roles/cloudkms.cryptoKeyDecrypter',
    'roles/cloudkms.cryptoKeyEncrypterDecrypter',
    'roles/cloudkms.signerVerifier',
  ],
  google_project_iam_member: [
    'roles/aiplatform.user',
    'roles/datastore.user',
    'roles/dlp.user',
    'roles/logging.logWriter',
    'roles/storage.objectViewer',
    'roles/telemetry.metricsWriter',
    'roles/telemetry.tracesWriter',
  ],
  google_secret_manager_secret_iam_member: ['roles/secretmanager.secretAccessor'],
  google_service_account_iam_member: ['roles/iam.serviceAccountUser'],
  google_storage_bucket_iam_member: ['roles/storage.objectUser', 'roles/storage.objectViewer'],
};

/** What the value of an attribute must look like, if anything is known of it. */
export function formOf(type: string, path: string): Form | undefined {
  const roles = ROLES[type];
  if (roles !== undefined && path === 'role') {
    const names = roles.map((role) => role.replaceAll('.', '\\.')).join('|');
    return { form: new RegExp(`^(${names})$`), is: `one of ${roles.join(', ')}` };
  }
  if (path === 'member' && type.endsWith('_iam_member'))
    return { form: MEMBER, is: 'an IAM member' };
  return FORMS[`${type}.${path}`];
}

/** "Possible values: [...]" in a description. */
export function allowedValues(description: string | undefined): readonly string[] | undefined {
  const listed = /Possible values: \[([^\]]*)\]/.exec(description ?? '')?.[1];
  if (listed === undefined) return undefined;
  return [...listed.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value);
}

export function defaultValue(description: string | undefined): string | undefined {
  return /Default value: "([^"]*)"/.exec(description ?? '')?.[1];
}
