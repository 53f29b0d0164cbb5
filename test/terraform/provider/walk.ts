import type { Attribute, Block } from '../../../tools/terraform/schema-document.ts';
import { type Fields, isFields, isList, type Value } from './wire-value.ts';

export type Path = readonly (string | number)[];
export type AtLeaf = (attribute: Attribute, value: Value, path: Path) => Value;

/**
 * The value of a block with each attribute replaced by what `atLeaf` answers; members that are
 * missing are filled in.
 */
export function mapBlock(block: Block, value: Value, atLeaf: AtLeaf, path: Path = []): Value {
  return isFields(value) ? mapFields(block, value, atLeaf, path) : value;
}

export function mapFields(block: Block, value: Fields, atLeaf: AtLeaf, path: Path = []): Fields {
  const mapped: Record<string, Value> = {};
  for (const [name, attribute] of Object.entries(block.attributes ?? {})) {
    mapped[name] = atLeaf(attribute, value[name] ?? null, [...path, name]);
  }
  for (const [name, nested] of Object.entries(block.block_types ?? {})) {
    const inner = value[name] ?? null;
    mapped[name] = isList(inner)
      ? inner.map((item, index) => mapBlock(nested.block, item, atLeaf, [...path, name, index]))
      : mapBlock(nested.block, inner, atLeaf, [...path, name]);
  }
  return mapped;
}

/** `service_config.environment_variables`: where a value lies, without positions in lists. */
export function dotted(path: Path): string {
  return path.filter((step) => typeof step === 'string').join('.');
}
