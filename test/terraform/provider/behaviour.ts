// How the provider behaves beyond its schema: what a change replaces, and what a created resource
// is called.
import { type Fields, isFields, isList, type Value } from './wire-value.ts';

/**
 * A change of one of these replaces the resource ("ForceNew"); of project, location and region for
 * every type.
 */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  google_artifact_registry_repository: ['repository_id', 'format', 'kms_key_name'],
  google_billing_budget: ['billing_account'],
  google_cloud_scheduler_job: ['name'],
  google_cloud_run_v2_service: ['name'],
  google_cloud_tasks_queue: ['name'],
  google_cloudfunctions2_function: ['name', 'kms_key_name'],
  google_firestore_backup_schedule: ['database', 'daily_recurrence', 'weekly_recurrence'],
  google_firestore_database: ['name', 'location_id', 'database_edition', 'cmek_config'],
  google_firestore_field: ['database', 'collection', 'field'],
  google_firestore_index: ['database', 'collection', 'query_scope', 'fields'],
  google_kms_crypto_key: ['name', 'key_ring', 'purpose'],
  google_kms_key_ring: ['name'],
  google_logging_metric: ['name'],
  google_project_service: ['service'],
  google_secret_manager_secret: ['secret_id', 'replication'],
  google_service_account: ['account_id'],
  google_storage_bucket: ['name'],
  google_storage_bucket_object: ['name', 'bucket', 'source'],
};
const ALWAYS = ['project', 'location', 'region'];

/** Top-level members whose change makes a new resource. A grant is replaced by any change. */
export function replacedBy(type: string, prior: Fields): readonly string[] {
  if (type.endsWith('_iam_member')) return Object.keys(prior).filter((name) => name !== 'id');
  return [...ALWAYS, ...(REPLACED_BY[type] ?? [])];
}

const PROJECT_NUMBER = '123456789012';

/** Ids and addresses as Google would give them, so that what is made of them can be read. */
export function madeUp(type: string, resource: Fields): Fields {
  const text = (name: string): string => asText(resource[name]);
  const project = text('project');
  const inLocation = `projects/${project}/locations/${text('location')}`;
  switch (type) {
    case 'google_service_account': {
      const email = `${text('account_id')}@${project}.iam.gserviceaccount.com`;
      const id = `projects/${project}/serviceAccounts/${email}`;
      return { id, name: id, email, member: `serviceAccount:${email}` };
    }
    case 'google_cloudfunctions2_function':
      return { id: `${inLocation}/functions/${text('name')}`, ...service(resource, inLocation) };
    case 'google_cloud_run_v2_service':
      return { id: `${inLocation}/services/${text('name')}` };
    case 'google_cloud_tasks_queue':
      return { id: `${inLocation}/queues/${text('name')}`, state: 'RUNNING' };
    case 'google_artifact_registry_repository':
      return {
        id: `${inLocation}/repositories/${text('repository_id')}`,
        name: text('repository_id'),
      };
    case 'google_firestore_database':
      return { id: `projects/${project}/databases/${text('name')}` };
    case 'google_storage_bucket':
      return { id: text('name'), url: `gs://${text('name')}` };
    case 'google_kms_key_ring':
      return { id: `${inLocation}/keyRings/${text('name')}` };
    case 'google_kms_crypto_key':
      return { id: `${text('key_ring')}/cryptoKeys/${text('name')}` };
    case 'google_secret_manager_secret':
      return { id: `projects/${project}/secrets/${text('secret_id')}` };
    default:
      return {};
  }
}

function service(resource: Fields, inLocation: string): Fields {
  const name = asText(resource['name']);
  const configs = resource['service_config'];
  if (!isList(configs)) return {};
  return {
    service_config: configs.map((config) => ({
      ...(isFields(config) ? config : {}),
      uri: `https://${name}-a1b2c3d4e5-ew.a.run.app`,
      service: `${inLocation}/services/${name}`,
    })),
  };
}

export const DATA: Readonly<Record<string, Fields>> = {
  google_project: { number: PROJECT_NUMBER },
};

function asText(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
