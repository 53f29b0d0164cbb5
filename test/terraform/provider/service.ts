// A provider for tests: the Google provider's schema and what we know of its behaviour, with
// nothing behind it.
import type { Block, ProviderSchema, Schema } from '../../../tools/terraform/schema-document.ts';
import { DATA } from './behaviour.ts';
import { answer, apply, plan } from './change.ts';
import { checkConfig, type Complaint } from './check-config.ts';
import { Remembered } from './remembered.ts';
import { mapBlock } from './walk.ts';
import {
  type Fields,
  fromWire,
  isFields,
  toWire,
  type Value,
  type WireValue,
} from './wire-value.ts';

/** Requests, as far as the methods below read them; the protocol file has their fields. */
interface Request {
  readonly type_name?: string;
  readonly config?: WireValue | null;
  readonly prior_state?: WireValue | null;
  readonly proposed_new_state?: WireValue | null;
  readonly planned_state?: WireValue | null;
  readonly current_state?: WireValue | null;
  readonly raw_state?: { readonly json?: Uint8Array } | null;
}

export type Method = (request: Request) => object;

/** Lets a configuration say `provider_meta "google" { module_name = ... }`. */
const META: Schema = {
  version: 0,
  block: { attributes: { module_name: { type: 'string', optional: true } } },
};

const NESTING = { single: 'SINGLE', list: 'LIST', set: 'SET' } as const;
const NOTHING = toWire(null);

export function providerMethods(schema: ProviderSchema): Readonly<Record<string, Method>> {
  let project: Value = null;
  const remembered = new Remembered();
  const resource = (name = ''): Schema => get(schema.resource_schemas, name);
  const source = (name = ''): Schema => get(schema.data_source_schemas, name);
  return {
    GetSchema: () => ({
      provider: typeToWire(schema.provider),
      resource_schemas: mapValues(schema.resource_schemas, typeToWire),
      data_source_schemas: mapValues(schema.data_source_schemas, typeToWire),
      provider_meta: typeToWire(META),
      server_capabilities: { plan_destroy: true },
    }),
    PrepareProviderConfig: ({ config }) => ({ prepared_config: config }),
    Configure({ config }) {
      project = fields(config)?.['project'] ?? null;
      return {};
    },
    ValidateResourceTypeConfig: ({ type_name: type = '', config }) =>
      complain(checkConfig(type, resource(type), fields(config) ?? {})),
    ValidateDataSourceConfig: () => ({}),
    UpgradeResourceState: ({ type_name: type, raw_state: raw }) => {
      const stored = fromWire(raw?.json === undefined ? null : { json: raw.json });
      return { upgraded_state: toWire(mapBlock(resource(type).block, stored, (_, leaf) => leaf)) };
    },
    ReadResource: ({ current_state: state }) => ({ new_state: state }),
    PlanResourceChange({ type_name: type = '', prior_state: before, proposed_new_state: after }) {
      const proposed = fields(after);
      // Like the real provider, which is built on the older of the two plugin kits.
      const legacy_type_system = true;
      if (proposed === undefined) return { planned_state: NOTHING, legacy_type_system };
      const { state, replacing } = plan(type, resource(type), fields(before), proposed, project);
      const requires_replace = replacing.map((name) => ({ steps: [{ attribute_name: name }] }));
      return { planned_state: toWire(state), requires_replace, legacy_type_system };
    },
    ApplyResourceChange({ type_name: type = '', prior_state: before, planned_state: after }) {
      const [prior, planned] = [fields(before), fields(after)];
      const legacy_type_system = true;
      const state = planned && apply(type, resource(type), prior, planned);
      const complaint =
        state === undefined
          ? remembered.remove(type, prior ?? {})
          : prior === undefined
            ? remembered.make(type, state)
            : undefined;
      if (complaint !== undefined)
        return { new_state: toWire(prior ?? null), legacy_type_system, ...complain([complaint]) };
      return { new_state: state === undefined ? NOTHING : toWire(state), legacy_type_system };
    },
    ReadDataSource: ({ type_name: type = '', config }) => ({
      state: toWire(answer(source(type), fields(config) ?? {}, DATA[type] ?? {})),
    }),
    Stop: () => ({}),
  };
}

function get(schemas: Readonly<Record<string, Schema>>, type: string): Schema {
  const found = schemas[type];
  if (found === undefined) throw new Error(`no type ${type}`);
  return found;
}

function fields(wire: WireValue | null | undefined): Fields | undefined {
  const value = fromWire(wire);
  return isFields(value) ? value : undefined;
}

export function complain(complaints: readonly Complaint[]): object {
  return {
    diagnostics: complaints.map(({ summary, detail, path }) => ({
      severity: 'ERROR',
      summary,
      detail,
      attribute: path && {
        steps: path.map((step) =>
          typeof step === 'number' ? { element_key_int: step } : { attribute_name: step },
        ),
      },
    })),
  };
}

function typeToWire({ version, block }: Schema): object {
  return { version, block: blockToWire(block) };
}

function blockToWire(block: Block): object {
  const attributes = Object.entries(block.attributes ?? {});
  const blocks = Object.entries(block.block_types ?? {});
  return {
    attributes: attributes.map(([name, attribute]) => ({
      ...attribute,
      name,
      type: Buffer.from(JSON.stringify(attribute.type)),
    })),
    block_types: blocks.map(([name, { nesting_mode: mode, ...nested }]) => ({
      ...nested,
      type_name: name,
      nesting: NESTING[mode],
      block: blockToWire(nested.block),
    })),
  };
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => object,
): Record<string, object> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
