// Stands in where there is no terraform binary. It sees what is written in the files: names, what
// is required, literal values, references. It evaluates nothing: what comes through a variable, a
// local or for_each it can't judge.
import type { Attribute, Block, ProviderSchema } from '../../tools/terraform/schema-document.ts';
import {
  type Configuration,
  type Declared,
  type HclBody,
  readConfiguration,
} from '../../tools/terraform/hcl.ts';
import { isOutputOnly } from './provider/check-config.ts';
import { allowedValues, EXACTLY_ONE, formOf } from './provider/value-rules.ts';

/** Of Terraform itself, in any resource. */
const META = [
  'connection',
  'count',
  'depends_on',
  'for_each',
  'lifecycle',
  'provider',
  'provisioner',
];

/** What is wrong with the files of a folder, a sentence each. */
export async function checkFolder(
  folder: string,
  schema: ProviderSchema,
): Promise<readonly string[]> {
  const configuration = await readConfiguration(folder);
  const kinds = [
    ['resource', schema.resource_schemas],
    ['data', schema.data_source_schemas],
  ] as const;
  const wrong = kinds.flatMap(([kind, schemas]) =>
    configuration.typed(kind).flatMap((declared) => {
      const block = schemas[declared.type]?.block;
      if (block === undefined) return [`${declared.type} is no type of ${kind}`];
      return [...inBlock(declared, block, declared.body, []), ...inGroups(declared)];
    }),
  );
  return [...wrong, ...badReferences(configuration, schema)];
}

function inBlock(
  declared: Declared,
  block: Block,
  body: HclBody,
  path: readonly string[],
): readonly string[] {
  const at = [`${declared.type}.${declared.name}`, ...path].join('.');
  const { dynamic, ...written } = body;
  const inner = (dynamic ?? {}) as Readonly<Record<string, readonly HclBody[]>>;
  const found = Object.entries(written).flatMap(([name, value]) => {
    const attribute = block.attributes?.[name];
    const nested = block.block_types?.[name];
    if (path.length === 0 && META.includes(name)) return [];
    if (nested !== undefined && !isBlocks(value)) return [`${at}.${name} is a block`];
    if (nested !== undefined || attribute === undefined) {
      return nested === undefined ? [`${at} has no ${name}`] : [];
    }
    return inAttribute(declared.type, attribute, value, [...path, name]).map(
      (message) => `${at}.${name} ${message}`,
    );
  });
  const unknown = Object.keys(inner).filter((name) => block.block_types?.[name] === undefined);
  const missing = Object.entries(block.attributes ?? {})
    .filter(([name, attribute]) => attribute.required === true && !(name in written))
    .map(([name]) => `${at} needs ${name}`);
  const blocks = Object.entries(block.block_types ?? {}).flatMap(([name, nested]) => {
    const fixed = isBlocks(written[name]) ? written[name] : [];
    const generated = (inner[name] ?? []).flatMap((each) =>
      isBlocks(each['content']) ? each['content'] : [],
    );
    const items = [...fixed, ...generated];
    const count = [
      ...((nested.min_items ?? 0) > items.length ? [`${at} needs a block ${name}`] : []),
      ...((nested.max_items ?? Infinity) < fixed.length
        ? [`${at} has too many blocks ${name}`]
        : []),
    ];
    return [
      ...count,
      ...items.flatMap((item) => inBlock(declared, nested.block, item, [...path, name])),
    ];
  });
  return [...found, ...unknown.map((name) => `${at} has no block ${name}`), ...missing, ...blocks];
}

function inAttribute(
  type: string,
  attribute: Attribute,
  value: unknown,
  path: readonly string[],
): readonly string[] {
  if (isOutputOnly(attribute)) return ['is an output'];
  if (isBlocks(value) && typeof attribute.type === 'string') return ['is no block'];
  if (typeof value !== 'string' || value.includes('${')) return [];
  if (attribute.type === 'number' && Number.isNaN(Number(value))) return ['must be a number'];
  const allowed = allowedValues(attribute.description);
  if (allowed !== undefined && !allowed.includes(value)) {
    return [`must be one of ${allowed.join(', ')}`];
  }
  const rule = formOf(type, path.join('.'));
  return rule === undefined || rule.form.test(value) ? [] : [`must be ${rule.is}`];
}

function inGroups({ type, name, body }: Declared): readonly string[] {
  return (EXACTLY_ONE[type] ?? [])
    .filter((group) => group.filter((member) => member in body).length !== 1)
    .map((group) => `${type}.${name} needs exactly one of ${group.join(', ')}`);
}

function badReferences(configuration: Configuration, schema: ProviderSchema): readonly string[] {
  const variables = configuration.named('variable');
  const declared = new Map(
    (['resource', 'data'] as const).flatMap((kind) =>
      configuration.typed(kind).map(({ type, name }) => {
        const schemas = kind === 'data' ? schema.data_source_schemas : schema.resource_schemas;
        const address: string = `${kind === 'data' ? 'data.' : ''}${type}.${name}`;
        return [address, schemas[type]?.block] as const;
      }),
    ),
  );
  // Comments name files and resources in prose.
  const text = configuration.text.replaceAll(/^\s*#.*$/gm, '');
  const unknown = [...text.matchAll(/\bvar\.(\w+)/g)]
    .filter(([, name = '']) => !variables.has(name))
    .map(([reference]) => `${reference} is not declared`);
  const places = /\b((?:data\.)?google_\w+\.[a-z]\w*)(?:\[[^\]]*\])?((?:\.\w+|\[\w+\])*)/g;
  const resources = [...text.matchAll(places)].flatMap(([reference, address = '', rest = '']) => {
    if (!declared.has(address)) return [`${address} is not declared`];
    const missing = firstMissing(declared.get(address), rest.match(/[a-z_]\w*/g) ?? []);
    return missing === undefined ? [] : [`${reference}: there is no ${missing}`];
  });
  return [...new Set([...unknown, ...resources])];
}

function firstMissing(block: Block | undefined, steps: readonly string[]): string | undefined {
  let at = block;
  for (const step of steps) {
    if (at === undefined) return undefined;
    const nested = at.block_types?.[step];
    if (nested === undefined && at.attributes?.[step] === undefined) return step;
    at = nested?.block;
  }
  return undefined;
}

function isBlocks(value: unknown): value is readonly HclBody[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
}
