// What changed for our resources between version 6.50 of the Google provider, whose schema was
// recovered, and 7.x; and what compiled bindings do not tell. Each entry can be read in the
// provider's change log and documentation:
// https://github.com/hashicorp/terraform-provider-google/blob/main/CHANGELOG.md
import type {
  Attribute,
  Block,
  NestedBlock,
  ProviderSchema,
  Schema,
} from '../../../tools/terraform/schema-document.ts';

/** Since 7.33.0 nearly every resource has `deletion_policy`. */
const WITH_DELETION_POLICY = [
  'google_artifact_registry_repository',
  'google_cloud_scheduler_job',
  'google_cloud_tasks_queue',
  'google_cloudfunctions2_function',
  'google_firestore_backup_schedule',
  'google_firestore_field',
  'google_firestore_index',
  'google_kms_crypto_key',
  'google_logging_metric',
  'google_monitoring_alert_policy',
  'google_monitoring_dashboard',
  'google_secret_manager_secret',
  'google_service_account',
  'google_storage_bucket',
  'google_storage_bucket_object',
];

const DELETION_POLICY: Attribute = {
  type: 'string',
  optional: true,
  computed: true,
  description: 'Possible values: ["DELETE", "PREVENT", "ABANDON"]',
};

/** `type.block.attribute`: what the attribute is in 7.x. */
const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  'google_cloud_tasks_queue.desired_state': {
    type: 'string',
    optional: true,
    description: 'Default value: "RUNNING" Possible values: ["RUNNING", "PAUSED"]',
  },
  'google_cloud_tasks_queue.state': { type: 'string', computed: true },
  'google_cloudfunctions2_function.event_trigger.event_type': { type: 'string', required: true },
  'google_cloudfunctions2_function.service_config.direct_vpc_egress': {
    type: 'string',
    optional: true,
    computed: true,
    description: 'Possible values: ["VPC_EGRESS_ALL_TRAFFIC", "VPC_EGRESS_PRIVATE_RANGES_ONLY"]',
  },
  'google_cloudfunctions2_function.service_config.service': { type: 'string', computed: true },
  'google_firestore_field.skip_wait': { type: 'bool', optional: true },
  'google_firestore_index.skip_wait': { type: 'bool', optional: true },
  'google_storage_bucket.encryption.default_kms_key_name': { type: 'string', optional: true },
  'google_storage_bucket.retention_policy.retention_period': { type: 'string', required: true },
};

const BLOCKS: Readonly<Record<string, NestedBlock>> = {
  'google_cloudfunctions2_function.service_config.direct_vpc_network_interface': {
    nesting_mode: 'list',
    block: {
      attributes: {
        network: { type: 'string', optional: true },
        subnetwork: { type: 'string', optional: true },
        tags: { type: ['list', 'string'], optional: true },
      },
    },
  },
};

/**
 * Attributes that the provider fills in when they are left out: without this a second plan would
 * show a change.
 */
const FILLED_IN = [
  'google_cloudfunctions2_function.build_config.docker_repository',
  'google_cloudfunctions2_function.build_config.environment_variables',
  'google_cloudfunctions2_function.build_config.service_account',
  'google_cloudfunctions2_function.build_config.source.storage_source.generation',
  'google_cloudfunctions2_function.service_config.available_cpu',
  'google_cloudfunctions2_function.service_config.max_instance_count',
  'google_compute_network.mtu',
  'google_storage_bucket.rpo',
];

/** The schema of the provider as 7.x has it. */
export function asSeven(schema: ProviderSchema): ProviderSchema {
  const resources = Object.entries(schema.resource_schemas).map(
    ([type, each]) => [type, resource(type, each)] as const,
  );
  const sources = Object.entries(schema.data_source_schemas).map(
    ([type, each]) => [type, { ...each, block: withIds(each.block) }] as const,
  );
  return {
    provider: schema.provider,
    resource_schemas: Object.fromEntries(resources),
    data_source_schemas: Object.fromEntries(sources),
  };
}

function resource(type: string, schema: Schema): Schema {
  let block = withIds(schema.block);
  if (WITH_DELETION_POLICY.includes(type)) {
    block = { ...block, attributes: { ...block.attributes, deletion_policy: DELETION_POLICY } };
  }
  for (const [path, attribute] of of(type, ATTRIBUTES)) block = put(block, path, () => attribute);
  for (const [path, nested] of of(type, BLOCKS)) block = putBlock(block, path, nested);
  for (const path of FILLED_IN.filter((each) => each.startsWith(`${type}.`))) {
    block = put(block, path.split('.').slice(1), (attribute) => ({ ...attribute, computed: true }));
  }
  return { ...schema, block };
}

function of<T>(type: string, table: Readonly<Record<string, T>>): [readonly string[], T][] {
  return Object.entries(table)
    .filter(([path]) => path.startsWith(`${type}.`))
    .map(([path, entry]) => [path.split('.').slice(1), entry]);
}

/** `id` and `project` are known after apply when they are left out. */
function withIds(block: Block): Block {
  const attributes = Object.entries(block.attributes ?? {}).map(([name, attribute]) => {
    const own = (name === 'id' || name === 'project') && attribute.optional === true;
    return [name, own ? { ...attribute, computed: true } : attribute] as const;
  });
  return { ...block, attributes: Object.fromEntries(attributes) };
}

type Change = (attribute: Attribute) => Attribute;

function put(block: Block, [step = '', ...rest]: readonly string[], change: Change): Block {
  if (rest.length > 0) return into(block, step, (inner) => put(inner, rest, change));
  const old = block.attributes?.[step] ?? { type: 'string' };
  return { ...block, attributes: { ...block.attributes, [step]: change(old) } };
}

function putBlock(
  block: Block,
  [step = '', ...rest]: readonly string[],
  nested: NestedBlock,
): Block {
  if (rest.length > 0) return into(block, step, (inner) => putBlock(inner, rest, nested));
  return { ...block, block_types: { ...block.block_types, [step]: nested } };
}

function into(block: Block, step: string, change: (inner: Block) => Block): Block {
  const nested = block.block_types?.[step];
  if (nested === undefined) throw new Error(`the schema has no block ${step}`);
  const changed = { ...nested, block: change(nested.block) };
  return { ...block, block_types: { ...block.block_types, [step]: changed } };
}
