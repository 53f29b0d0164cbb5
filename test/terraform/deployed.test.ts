import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askBinary } from './ask-binary.ts';
import { VARIABLES } from '../../functions/deployment.ts';
import { FUNCTIONS } from '../../functions/function-names.ts';
import { variableOf } from '../../functions/settings.ts';
import { indexFile } from '../../shared/gcp/firestore/indexes.ts';
import { QUEUE_NAMES, queueId } from '../../shared/gcp/tasks/route.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { grantsOf } from './identities.ts';
import { argumentsOf, PROJECT, ROOT } from './places.ts';
import { blockOf, type Resource, resourcesOf } from './state.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const binary = await askBinary();

/** Everything that can be switched on, so that nothing is missed. */
const EVERYTHING = {
  a2a: {
    v03: true,
    draft: true,
    traceability: true,
    allow_hosts: ['agents.example.com'],
    allow_origins: ['https://ui.example.com'],
    base_url: 'https://agents.example.com',
    check_input_modes: true,
    idempotency: 'always',
  },
  access: {
    gcloud_users: true,
    iap_audience: '/projects/123456789012/locations/europe-west1/services/holdfast-a2a',
    issuers: [{ issuer: 'https://login.example.com', audience: ['agents'] }],
    open_anyway: true,
    ways: ['iap', 'keys', 'oidc', 'open'],
  },
  budget: { billing_account: '012345-6789AB-CDEF01', currency: 'EUR', amount: 500 },
  cmek: { key: 'projects/keys/locations/europe-west1/keyRings/ours/cryptoKeys/storage' },
  grpc: {
    address: 'grpc.example.com:443',
    image: `europe-west1-docker.pkg.dev/acme-agents/holdfast/grpc@sha256:${'0'.repeat(64)}`,
  },
  invokers: ['group:agents@example.com'],
  metrics: { export: 'otlp', endpoint: 'https://collector.example.com:4318/' },
  notices: [
    {
      name: 'oncall',
      form: 'slack',
      events: ['approval', 'failed'],
      agents: ['assistant'],
      after: '5m',
      lead: '2h',
      digest: '15m',
      content: true,
      quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
      secret: { secret: 'slack-url' },
    },
  ],
  operator: {
    console_url: 'https://ops.example.com',
    gcloud_users: true,
    iap_audience: '/projects/123456789012/locations/europe-west1/services/holdfast-operator',
    invokers: ['group:operators@example.com'],
  },
  operators: {
    'alice@example.com': {
      agents: ['*'],
      may: ['view', 'decide', 'send', 'cancel', 'pause', 'retry', 'keys'],
    },
  },
  card_signing: { versions: [1, 2] },
  remote_private: ['agents.internal'],
  model_prices: { 'gpt-5': { input: 1.25, output: 10 } },
  remote_secrets: { 'partner-token': { secret: 'partner-token' } },
  secrets: { 'model-key': { read_by: ['worker'] } },
  settings: { ...defaults },
  traces: { export: 'otlp', endpoint: 'https://collector.example.com:4318' },
};

describe.runIf(binary !== '')('a deployment', () => {
  let workspace: Workspace;
  let resources: readonly Resource[];
  const all = (type: string): readonly Resource[] =>
    resources.filter((each) => each.type === `google_${type}`);

  beforeAll(async () => {
    workspace = await openWorkspace(binary);
    await workspace.must(ROOT, 'init', '-no-color');
    const values = Object.entries(EVERYTHING).map(
      ([name, value]) => `-var=${name}=${JSON.stringify(value)}`,
    );
    const given = [...argumentsOf(workspace, ROOT), ...values];
    await workspace.must(ROOT, 'apply', '-auto-approve', '-no-color', ...given);
    resources = await resourcesOf(workspace, ROOT);
  }, 120_000);
  afterAll(() => {
    workspace.close();
  });

  test('each identity has exactly the roles that are listed', async () => {
    await expect(`${grantsOf(resources).join('\n')}\n`).toMatchFileSnapshot('iam-matrix.txt');
  });

  test('nothing is granted on the whole project but the one database, the build log and what builds fetch', () => {
    const onProject = all('project_iam_member').map(({ values }) => ({
      role: values['role'],
      account: String(values['member']).replace(/^serviceAccount:holdfast-|@.*$/g, ''),
      only: blockOf(values, 'condition')['expression'],
    }));
    const database = `resource.name == "projects/${PROJECT}/databases/holdfast-state"`;
    const bucket = 'projects/_/buckets/gcf-v2-sources-123456789012-europe-west1';
    const fetched = [
      `resource.name == "${bucket}"`,
      `resource.name.startsWith("${bucket}/")`,
      `resource.name.startsWith("${bucket}-CMEK-")`,
    ].join(' || ');
    expect(onProject.filter(({ role }) => role !== 'roles/datastore.user')).toEqual([
      { role: 'roles/storage.objectViewer', account: 'build', only: fetched },
      { role: 'roles/logging.logWriter', account: 'build', only: undefined },
    ]);
    const users = onProject.filter(({ role }) => role === 'roles/datastore.user');
    expect(users.map(({ account }) => account).toSorted()).toEqual([...FUNCTIONS].toSorted());
    for (const { only } of users) expect(only).toContain(database);
  });

  test('no member holds a basic role, and none is anonymous', () => {
    const grants = grantsOf(resources).join('\n');
    expect(grants).not.toMatch(/roles\/(owner|editor|viewer)|allUsers|allAuthenticatedUsers/);
  });

  test('only those who are named reach the A2A function and the operator, and only its caller each of the others', () => {
    const callers = all('cloud_run_service_iam_member').map(
      ({ values }) => `${String(values['member'])} ${String(values['service'])}`,
    );
    const account = (name: string): string =>
      `serviceAccount:holdfast-${name}@${PROJECT}.iam.gserviceaccount.com`;
    expect(callers.toSorted()).toEqual([
      'group:agents@example.com holdfast-a2a',
      'group:agents@example.com holdfast-grpc',
      'group:operators@example.com holdfast-operator',
      `${account('invoker')} holdfast-coordinator`,
      `${account('invoker')} holdfast-projector`,
      `${account('invoker')} holdfast-push`,
      `${account('invoker')} holdfast-worker`,
      `${account('scheduler')} holdfast-sweeper`,
    ]);
  });

  test('only what agents and people call can be reached from outside', () => {
    const ingress = all('cloudfunctions2_function').map(({ index, values }) => [
      index,
      blockOf(values, 'service_config')['ingress_settings'],
    ]);
    expect(Object.fromEntries(ingress)).toEqual({
      a2a: 'ALLOW_ALL',
      coordinator: 'ALLOW_INTERNAL_ONLY',
      operator: 'ALLOW_ALL',
      projector: 'ALLOW_INTERNAL_ONLY',
      push: 'ALLOW_INTERNAL_ONLY',
      sweeper: 'ALLOW_INTERNAL_ONLY',
      worker: 'ALLOW_INTERNAL_ONLY',
    });
  });

  test.each(FUNCTIONS)('%s gets the variables that its code reads, and no other', (name) => {
    const read = VARIABLES.filter(({ readBy }) => readBy.includes(name)).map((each) => each.name);
    expect(Object.keys(environmentOf(name)).toSorted()).toEqual(read.toSorted());
  });

  test('the gRPC service is the edge of the A2A function, but that it asks callers itself', () => {
    const [service] = all('cloud_run_v2_service');
    const template = blockOf(service?.values ?? {}, 'template');
    const container = blockOf(template, 'containers');
    expect(template).toMatchObject({
      service_account: `holdfast-a2a@${PROJECT}.iam.gserviceaccount.com`,
      encryption_key: EVERYTHING.cmek.key,
    });
    // Cloud Run speaks HTTP/2 to a port of that name, and asks gRPC's own health check.
    expect(blockOf(container, 'ports')).toMatchObject({ name: 'h2c', container_port: 8080 });
    expect(blockOf(blockOf(container, 'startup_probe'), 'grpc')).toMatchObject({ port: 8080 });
    const env = container['env'] as readonly { readonly name: string; readonly value: string }[];
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const { HOLDFAST_IAP_AUDIENCE: proxy, ...ofA2A } = environmentOf('a2a');
    expect(proxy).toBe(EVERYTHING.access.iap_audience);
    expect(given).toEqual({
      ...ofA2A,
      HOLDFAST_ACCESS: 'keys,oidc,open',
      HOLDFAST_AUDIENCE: 'https://holdfast-grpc-123456789012.europe-west1.run.app',
      HOLDFAST_CALLERS: 'iam',
    });
    expect(ofA2A).toMatchObject({ HOLDFAST_GRPC_URL: 'grpc.example.com:443' });
    expect(service?.values['custom_audiences']).toEqual([EVERYTHING.a2a.base_url]);
  });

  test('a setting arrives under the name that the code reads', () => {
    const environment = environmentOf('worker');
    const set = Object.entries(defaults).map(([name, value]) => [
      variableOf(name as keyof typeof defaults),
      String(value),
    ]);
    expect(environment).toMatchObject(Object.fromEntries(set));
  });

  test('a delivery goes to the address that its token is made out for and its receiver expects', () => {
    const environment = environmentOf('a2a');
    for (const name of ['worker', 'projector', 'coordinator', 'push'] as const) {
      const url = environment[`HOLDFAST_${name.toUpperCase()}_URL`];
      expect(url, name).toBe(environmentOf(name)['HOLDFAST_AUDIENCE']);
    }
    const [job] = all('cloud_scheduler_job');
    const target = blockOf(job?.values ?? {}, 'http_target');
    const audience = blockOf(target, 'oidc_token')['audience'];
    expect(audience).toBe(environmentOf('sweeper')['HOLDFAST_AUDIENCE']);
    expect(target['uri']).toBe(`${String(audience)}/`);
  });

  test('each function that asks who calls is told the account that calls it, and who has looked', () => {
    const account = (name: string): string => `holdfast-${name}@${PROJECT}.iam.gserviceaccount.com`;
    const told = FUNCTIONS.map((name) => {
      const { HOLDFAST_CALLER: caller, HOLDFAST_CALLERS: callers } = environmentOf(name);
      return [name, caller, callers];
    });
    expect(told).toEqual([
      ['a2a', undefined, 'iap'],
      ['worker', account('invoker'), 'iam'],
      ['projector', account('invoker'), 'iam'],
      ['coordinator', account('invoker'), 'iam'],
      ['push', account('invoker'), 'iam'],
      ['operator', undefined, 'iap'],
      ['sweeper', account('scheduler'), 'iam'],
    ]);
  });

  test('the queues have the names that the code makes', () => {
    const {
      HOLDFAST_QUEUE_PREFIX: prefix = '',
      HOLDFAST_QUEUE_GENERATION: generation = '',
      HOLDFAST_QUEUE_SHARDS: shards = '',
    } = environmentOf('worker');
    const names = QUEUE_NAMES.flatMap((name) =>
      Array.from({ length: Number(shards) }, (_, shard) =>
        queueId(`${prefix}-${name}`, generation, shard),
      ),
    );
    expect(
      all('cloud_tasks_queue')
        .map(({ values }) => String(values['name']))
        .toSorted(),
    ).toEqual(names.toSorted());
  });

  test('a queue never gives up, and sends no more at once than its function takes', () => {
    for (const { values } of all('cloud_tasks_queue')) {
      expect(blockOf(values, 'retry_config')).toMatchObject({
        max_attempts: -1,
        max_retry_duration: '0s',
      });
    }
    const takers = {
      runs: 'worker',
      projections: 'projector',
      polls: 'coordinator',
      pushes: 'push',
    } as const;
    for (const queue of QUEUE_NAMES) {
      const sizes = blockOf(functionOf(takers[queue]).values, 'service_config');
      const capacity =
        Number(sizes['max_instance_count']) * Number(sizes['max_instance_request_concurrency']);
      const concurrent = all('cloud_tasks_queue')
        .filter(({ index }) => String(index).startsWith(`${queue}-`))
        .map(({ values }) => Number(blockOf(values, 'rate_limits')['max_concurrent_dispatches']));
      const sum = concurrent.reduce((total, each) => total + each, 0);
      expect(sum, queue).toBeGreaterThan(0);
      expect(sum, queue).toBeLessThanOrEqual(capacity);
    }
  });

  test("each registered query's index is there, and each field's exemption", () => {
    const { indexes, fieldOverrides } = indexFile();
    const made = all('firestore_index').map(({ values }) => ({
      collectionGroup: values['collection'],
      queryScope: values['query_scope'],
      fields: (values['fields'] as readonly Record<string, unknown>[]).map((field) => ({
        fieldPath: field['field_path'],
        order: field['order'],
      })),
    }));
    expect(made).toHaveLength(indexes.length);
    expect(made).toEqual(expect.arrayContaining([...indexes]));
    const fields = all('firestore_field').map(({ values }) => {
      const own = blockOf(values, 'index_config')['indexes'] ?? [];
      return {
        collectionGroup: values['collection'],
        fieldPath: values['field'],
        indexes: (own as readonly Record<string, unknown>[]).map((index) => ({
          order: index['order'],
          queryScope: index['query_scope'],
        })),
      };
    });
    expect(fields).toHaveLength(fieldOverrides.length);
    expect(fields).toEqual(expect.arrayContaining([...fieldOverrides]));
  });

  test('what is stored is encrypted with the given key everywhere', () => {
    const { key } = EVERYTHING.cmek;
    for (const { values } of all('storage_bucket')) {
      expect(blockOf(values, 'encryption')['default_kms_key_name']).toBe(key);
    }
    const [database] = all('firestore_database');
    expect(blockOf(database?.values ?? {}, 'cmek_config')['kms_key_name']).toBe(key);
    for (const type of ['cloudfunctions2_function', 'artifact_registry_repository']) {
      for (const { values } of all(type)) expect(values['kms_key_name']).toBe(key);
    }
  });

  test('labels are on everything that takes them', () => {
    const without = resources.filter(({ values }) => {
      const labels = values['labels'] ?? values['user_labels'];
      return ('labels' in values || 'user_labels' in values) && labels === null;
    });
    expect(without.map(({ address }) => address)).toEqual([]);
  });

  test('secrets are told by name to the functions that call remote agents or send notices, and to no other', () => {
    const given = FUNCTIONS.map((name) => {
      const config = blockOf(functionOf(name).values, 'service_config');
      const secrets = config['secret_volumes'] as readonly Record<string, unknown>[];
      const mounted = secrets.map((each) => [each['mount_path'], each['secret'], each['versions']]);
      return [name, mounted] as const;
    });
    const value = [{ path: 'value', version: 'latest' }];
    const token = [['/etc/holdfast/remotes/partner-token', 'partner-token', value]];
    const chat = [['/etc/holdfast/notices/oncall', 'slack-url', value]];
    const has = (name: string): boolean => ['worker', 'coordinator', 'operator'].includes(name);
    const files = (name: string) => (has(name) ? token : name === 'push' ? chat : []);
    expect(given).toEqual(FUNCTIONS.map((name) => [name, files(name)]));
  });

  test('no environment holds a secret, or a name that says so: organisations forbid both', () => {
    for (const name of FUNCTIONS) {
      const config = blockOf(functionOf(name).values, 'service_config');
      expect(config['secret_environment_variables'] ?? []).toEqual([]);
      const names = Object.keys(environmentOf(name));
      expect(names.filter((each) => /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/.test(each))).toEqual([]);
    }
  });

  test('what an operator may do arrives as it is written', () => {
    const operators: unknown = JSON.parse(environmentOf('operator')['HOLDFAST_OPERATORS'] ?? '');
    const may = ['cancel', 'decide', 'keys', 'pause', 'retry', 'send', 'view'];
    expect(operators).toEqual({ 'alice@example.com': { agents: ['*'], may } });
  });

  test('no secret value is in the state', () => {
    expect(all('secret_manager_secret').map(({ values }) => values['secret_id'])).toEqual([
      'holdfast-model-key',
    ]);
    expect(all('secret_manager_secret_version')).toEqual([]);
  });

  function functionOf(name: string): Resource {
    const found = all('cloudfunctions2_function').find(({ index }) => index === name);
    if (found === undefined) throw new Error(`no function ${name}`);
    return found;
  }

  function environmentOf(name: string): Readonly<Record<string, string>> {
    const config = blockOf(functionOf(name).values, 'service_config');
    return config['environment_variables'] as Readonly<Record<string, string>>;
  }
});
