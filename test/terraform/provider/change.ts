import { isDeepStrictEqual } from 'node:util';
import type { Attribute, AttributeType, Schema } from '../../../tools/terraform/schema-document.ts';
import { madeUp, replacedBy } from './behaviour.ts';
import { givenBack } from './remembered.ts';
import { defaultValue } from './value-rules.ts';
import { mapFields } from './walk.ts';
import { type Fields, isFields, isList, Unknown, type Value } from './wire-value.ts';

export interface Planned {
  readonly state: Fields;
  /** Top-level members whose change needs a new resource. */
  readonly replacing: readonly string[];
}

/**
 * What will be there after apply: as proposed, with defaults, and unknown where only Google
 * decides.
 */
export function plan(
  type: string,
  schema: Schema,
  prior: Fields | undefined,
  proposed: Fields,
  project: Value,
): Planned {
  const state = mapFields(schema.block, proposed, (attribute, value, path) => {
    if (attribute.write_only === true) return null;
    if (value !== null) return value;
    if (
      path.length === 1 &&
      path[0] === 'project' &&
      attribute.computed === true &&
      project !== null
    )
      return project;
    const fallback = attribute.type === 'string' ? defaultValue(attribute.description) : undefined;
    if (fallback !== undefined) return fallback;
    return prior === undefined && attribute.computed === true ? new Unknown() : null;
  });
  const replacing =
    prior === undefined
      ? []
      : replacedBy(type, prior).filter(
          (name) => name in prior && !isDeepStrictEqual(prior[name], state[name]),
        );
  return { state, replacing };
}

/** The resource as it is after apply. */
export function apply(
  type: string,
  schema: Schema,
  prior: Fields | undefined,
  planned: Fields,
): Fields {
  const state = mapFields(schema.block, planned, (attribute, value, path) =>
    path[0] === 'dashboard_json'
      ? givenBack(value)
      : known(attribute.type, value, String(path.at(-1))),
  );
  return prior === undefined ? { ...state, ...madeUp(type, state) } : state;
}

/** A data source's answer. */
export function answer(schema: Schema, config: Fields, data: Fields): Fields {
  return mapFields(schema.block, config, (attribute: Attribute, value, path) => {
    const name = String(path.at(-1));
    if (value !== null || attribute.computed !== true) return value;
    return data[name] ?? known(attribute.type, new Unknown(), name);
  });
}

/** Unknown parts get values: the same ones every time, so that two runs can be compared. */
function known(type: AttributeType, value: Value, name: string): Value {
  if (value instanceof Unknown) return invented(type, name);
  if (typeof type === 'string') return value;
  if (type[0] === 'object') {
    if (!isFields(value)) return value;
    const members = Object.entries(type[1]);
    return Object.fromEntries(
      members.map(([key, inner]) => [key, known(inner, value[key] ?? null, key)]),
    );
  }
  const inner = type[1];
  if (isList(value)) return value.map((item) => known(inner, item, name));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, known(inner, item, key)]),
  );
}

function invented(type: AttributeType, name: string): Value {
  switch (type) {
    case 'string':
      return `made-up-${name.replaceAll('_', '-')}`;
    case 'number':
      return 0;
    case 'bool':
      return false;
    case 'dynamic':
      return null;
    default:
      return type[0] === 'map' ? {} : type[0] === 'object' ? known(type, {}, name) : [];
  }
}
