// Mistakes of meaning: what Terraform and the provider accept, and Google then refuses, or does not
// do. Over the parsed files, so that it needs no terraform binary.
import type { Configuration, Declared } from '../../tools/terraform/hcl.ts';

/** Which API serves a type, by how its name begins; the first that fits. */
const APIS: readonly (readonly [RegExp, string])[] = [
  [/^google_artifact_registry_/, 'artifactregistry'],
  [/^google_billing_/, 'billingbudgets'],
  [/^google_cloud_run_/, 'run'],
  [/^google_cloud_scheduler_/, 'cloudscheduler'],
  [/^google_cloud_tasks_/, 'cloudtasks'],
  [/^google_cloudfunctions2_/, 'cloudfunctions'],
  // Functions are built by Cloud Build, and serve on Cloud Run.
  [/^google_cloudfunctions2_/, 'cloudbuild'],
  [/^google_cloudfunctions2_/, 'run'],
  [/^google_firestore_/, 'firestore'],
  [/^google_kms_/, 'cloudkms'],
  [/^google_logging_/, 'logging'],
  [/^google_monitoring_/, 'monitoring'],
  [/^google_secret_manager_/, 'secretmanager'],
  [/^google_service_account/, 'iam'],
  [/^google_storage_/, 'storage'],
];

/**
 * Metrics of Google's that alerts and charts may look at:
 * https://cloud.google.com/monitoring/api/metrics_gcp
 */
const METRICS = [
  'cloudtasks.googleapis.com/queue/depth',
  'cloudtasks.googleapis.com/queue/task_attempt_count',
  'cloudtasks.googleapis.com/queue/task_attempt_delays',
  'firestore.googleapis.com/document/read_ops_count',
  'firestore.googleapis.com/document/write_ops_count',
  'run.googleapis.com/container/billable_instance_time',
  'run.googleapis.com/container/instance_count',
  'run.googleapis.com/container/memory/utilizations',
  'run.googleapis.com/request_count',
  'run.googleapis.com/request_latencies',
  'storage.googleapis.com/storage/total_bytes',
];

const MEMBER = /^(user|group|serviceAccount|domain|principal|principalSet):/;
const DAY = 86_400;

/** What is wrong with the module, a sentence each. */
export function checkMeaning(configuration: Configuration): readonly string[] {
  const resources = configuration.typed('resource');
  const needs = dependencies(configuration, resources);
  return [
    ...resources.flatMap((each) => [
      ...apis(each, configuration),
      ...order(each, needs),
      ...grants(each),
      ...rotation(each),
    ]),
    ...functionsComeLast(resources, needs),
    ...protectionCoversAll(resources, needs),
    ...metrics(configuration),
  ];
}

const addressOf = ({ type, name }: Declared): string => `${type}.${name}`;

/** What each resource depends on, through others and through locals. */
function dependencies(
  { locals }: Configuration,
  resources: readonly Declared[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(resources.map(addressOf));
  const referred = (value: unknown, seen: ReadonlySet<string> = new Set()): readonly string[] => {
    const text = JSON.stringify(value ?? null);
    const direct = [...text.matchAll(/\b((?:google|time|terraform)_\w+\.[a-z]\w*)/g)];
    const through = [...text.matchAll(/\blocal\.(\w+)/g)].flatMap(([, name = '']) =>
      seen.has(name) ? [] : referred(locals.get(name), new Set([...seen, name])),
    );
    return [...direct.map(([, address = '']) => address), ...through].filter((each) =>
      known.has(each),
    );
  };
  const direct = new Map(resources.map((each) => [addressOf(each), referred(each.body)] as const));
  const closure = (address: string, found = new Set<string>()): Set<string> => {
    for (const next of direct.get(address) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      closure(next, found);
    }
    return found;
  };
  return new Map(resources.map((each) => [addressOf(each), closure(addressOf(each))] as const));
}

type Needs = ReadonlyMap<string, ReadonlySet<string>>;

function apis({ type }: Declared, { locals }: Configuration): readonly string[] {
  const on = JSON.stringify(locals.get('services') ?? '');
  return APIS.filter(
    ([begins, api]) => begins.test(type) && !on.includes(`"${api}.googleapis.com\\"`),
  ).map(([, api]) => `${type} needs ${api}.googleapis.com among the services`);
}

function order(resource: Declared, needs: Needs): readonly string[] {
  const address = addressOf(resource);
  const own = needs.get(address) ?? new Set();
  const wants = [
    ...(resource.type.startsWith('google_') && resource.type !== 'google_project_service'
      ? ['google_project_service.main']
      : []),
    ...(!resource.type.endsWith('_iam_member') &&
    /"(default_)?kms_key_name":/.test(JSON.stringify(resource.body))
      ? ['time_sleep.key_grants']
      : []),
    // Its first call would be refused.
    ...(resource.type === 'google_cloud_scheduler_job'
      ? ['google_cloud_run_service_iam_member.delivery']
      : []),
  ];
  return wants.filter((each) => !own.has(each)).map((each) => `${address} must wait for ${each}`);
}

function grants(resource: Declared): readonly string[] {
  if (!resource.type.endsWith('_iam_member')) return [];
  const address = addressOf(resource);
  const { lifecycle, member, service } = resource.body;
  const said = String(member);
  const typed =
    /^\$\{[^{}]*\.member\}$/.test(said) || said === '${each.value}' || MEMBER.test(said);
  const untyped = typed ? [] : [`${address}: the member ${said} has no type`];
  if (resource.type !== 'google_cloud_run_service_iam_member') return untyped;
  const renewed = JSON.stringify(lifecycle ?? null).includes(
    JSON.stringify(String(service).replace(/\.name\}$/, '.id}')).slice(1, -1),
  );
  return renewed
    ? untyped
    : [...untyped, `${address} must be replaced with its function: a new service has no grants`];
}

function rotation({ body, name, type }: Declared): readonly string[] {
  if (type !== 'google_kms_crypto_key') return [];
  const { purpose, rotation_period: given } = body;
  // Cloud KMS rotates none that signs: its readers must learn of each version.
  if (purpose === 'ASYMMETRIC_SIGN') {
    return given === undefined ? [] : [`${type}.${name} signs, and can't rotate by itself`];
  }
  const period = String(given);
  const [, seconds] = /^(\d+)s$/.exec(period) ?? [];
  const right =
    seconds === undefined ? period === '${var.kms.rotation_days * 86400}s' : Number(seconds) >= DAY;
  return right ? [] : [`${type}.${name} rotates by ${period}: a day is the least`];
}

/** A function that starts before its grants are there fails until they are. */
function functionsComeLast(resources: readonly Declared[], needs: Needs): readonly string[] {
  const own = needs.get('google_cloudfunctions2_function.main') ?? new Set();
  const theirs = resources.filter(
    ({ body, type }) =>
      type.endsWith('_iam_member') &&
      type !== 'google_cloud_run_service_iam_member' &&
      /google_service_account\.(function|build)\b/.test(JSON.stringify(body['member'])),
  );
  return [...theirs.map(addressOf), 'google_firestore_index.main', 'time_sleep.build_grants']
    .filter((each) => !own.has(each))
    .map((each) => `the functions must wait for ${each}`);
}

function protectionCoversAll(resources: readonly Declared[], needs: Needs): readonly string[] {
  const guard = 'terraform_data.protection';
  const covered = needs.get(guard) ?? new Set();
  return resources
    .map(addressOf)
    .filter((each) => each !== guard && !covered.has(each))
    .map((each) => `${each} is not under ${guard}: destroy would take it`);
}

function metrics({ locals, text }: Configuration): readonly string[] {
  const ours = ['events', 'measures'].flatMap((name) => Object.keys(locals.get(name) ?? {}));
  const loops = [...text.matchAll(/for metric in \[([^\]]*)\]([^]*?metric\.type = \\"[^\\]*)/g)];
  const looped = loops.flatMap(([, list = '', rest = '']) => {
    const pattern = rest.slice(rest.lastIndexOf('metric.type = \\"') + 'metric.type = \\"'.length);
    return [...list.matchAll(/"(\w+)"/g)].map(([, name = '']) =>
      pattern.replace('${metric}', name),
    );
  });
  const single = [...text.matchAll(/metric\.type = \\"([^\\]+)/g)]
    .map(([, type = '']) => type)
    .filter((type) => !type.includes('${metric}'));
  const exists = (type: string): boolean =>
    type.startsWith('${local.metrics}/')
      ? ours.includes(type.slice('${local.metrics}/'.length))
      : METRICS.includes(type);
  return [...new Set([...single, ...looped])]
    .filter((type) => !exists(type))
    .map((type) => `there is no metric ${type}`);
}
