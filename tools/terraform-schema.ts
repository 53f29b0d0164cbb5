// Writes test/terraform/schema/google.json, the provider schema that Terraform is checked against
// here:
//   node tools/node24.mjs tools/terraform-schema.ts
//     from the npm package of the CDKTF bindings (32 MB)
//   node tools/node24.mjs tools/terraform-schema.ts providers.json
//     from `terraform providers schema -json`, which is exact
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Binding,
  checkable,
  recoverProvider,
  recoverSchema,
} from './terraform/recover-schema.ts';
import type { Block, ProviderSchema, Schema, SchemaDocument } from './terraform/schema-document.ts';

const PACKAGE = '@cdktf/provider-google@16.12.1';
const ADDRESS = 'registry.terraform.io/hashicorp/google';
const TARGET = join(import.meta.dirname, '../test/terraform/schema/google.json');

/** The types that the module, the root and the examples use. */
const RESOURCES = [
  'artifact_registry_repository',
  'artifact_registry_repository_iam_member',
  'billing_budget',
  'cloud_run_service_iam_member',
  'cloud_run_v2_service',
  'cloud_scheduler_job',
  'cloud_tasks_queue',
  'cloud_tasks_queue_iam_member',
  'cloudfunctions2_function',
  'compute_backend_service',
  'compute_global_address',
  'compute_global_forwarding_rule',
  'compute_managed_ssl_certificate',
  'compute_network',
  'compute_region_network_endpoint_group',
  'compute_security_policy',
  'compute_subnetwork',
  'compute_target_https_proxy',
  'compute_url_map',
  'firestore_backup_schedule',
  'firestore_database',
  'firestore_field',
  'firestore_index',
  'kms_crypto_key',
  'kms_crypto_key_iam_member',
  'kms_key_ring',
  'logging_metric',
  'monitoring_alert_policy',
  'monitoring_dashboard',
  'monitoring_notification_channel',
  'project_iam_member',
  'project_service',
  'secret_manager_secret',
  'secret_manager_secret_iam_member',
  'service_account',
  'service_account_iam_member',
  'storage_bucket',
  'storage_bucket_iam_member',
  'storage_bucket_object',
];
const DATA_SOURCES = ['project'];

function fromBindings(): ProviderSchema {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bindings-'));
  try {
    const quiet = { cwd: folder, encoding: 'utf8' } as const;
    const archive = execFileSync('npm', ['pack', '--silent', PACKAGE], quiet).trim();
    execFileSync('tar', ['-xzf', archive], quiet);
    const binding = (name: string): Binding => {
      const at = join(folder, 'package/lib', name.replaceAll('_', '-'));
      const read = (file: string): string => readFileSync(join(at, file), 'utf8');
      return {
        file: join(at, 'index.js'),
        code: read('index.js'),
        declarations: read('index.d.ts'),
      };
    };
    const recover = (name: string): Schema => recoverSchema(binding(name));
    return {
      provider: recoverProvider(binding('provider')),
      resource_schemas: byType(RESOURCES, recover),
      data_source_schemas: byType(DATA_SOURCES, (name) => recover(`data_google_${name}`)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fromTerraform(file: string): ProviderSchema {
  const { provider_schemas: all } = JSON.parse(readFileSync(file, 'utf8')) as SchemaDocument;
  const full = all[ADDRESS];
  if (full === undefined) throw new Error(`${file} holds no schema of ${ADDRESS}`);
  const pick = (schemas: Readonly<Record<string, Schema>>) => (name: string) => {
    const schema = schemas[`google_${name}`];
    if (schema === undefined) throw new Error(`${file} holds no google_${name}`);
    return { ...schema, block: trimmed(schema.block) };
  };
  return {
    provider: { ...full.provider, block: trimmed(full.provider.block) },
    resource_schemas: byType(RESOURCES, pick(full.resource_schemas)),
    data_source_schemas: byType(DATA_SOURCES, pick(full.data_source_schemas)),
  };
}

function byType(names: readonly string[], of: (name: string) => Schema): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [`google_${name}`, of(name)]));
}

function trimmed(block: Block): Block {
  const attributes = Object.entries(block.attributes ?? {})
    .filter(([name]) => !name.endsWith('_custom_endpoint'))
    .map(([name, { description, ...rest }]) => {
      const words = checkable(description ?? '');
      return [name, words === '' ? rest : { ...rest, description: words }] as const;
    });
  const blocks = Object.entries(block.block_types ?? {}).map(
    ([name, nested]) => [name, { ...nested, block: trimmed(nested.block) }] as const,
  );
  return { attributes: Object.fromEntries(attributes), block_types: Object.fromEntries(blocks) };
}

const [given] = process.argv.slice(2);
const schema = given === undefined ? fromBindings() : fromTerraform(given);
const document: SchemaDocument = { format_version: '1.0', provider_schemas: { [ADDRESS]: schema } };
// One type a line: a new provider version then shows as a readable difference.
const text = JSON.stringify(document).replaceAll(/"google_\w+":\{"version"/g, '\n$&');
writeFileSync(TARGET, `${text}\n`);
const count = Object.keys(schema.resource_schemas).length;
process.stdout.write(
  `${count} resources, ${DATA_SOURCES.length} data source, ${text.length} bytes\n`,
);
