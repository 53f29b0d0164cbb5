import { anything, Leaf, ListOfBlocks, runBinding, SingleBlock } from './binding-runtime.ts';
import {
  type Attribute,
  type Block,
  type NestedBlock,
  type Schema,
  typeOfBlock,
} from './schema-document.ts';

/**
 * One compiled module of the bindings: `lib/cloud-tasks-queue/index.js` with the declarations
 * beside it.
 */
export interface Binding {
  readonly file: string;
  readonly code: string;
  readonly declarations: string;
}

/** How a member is written in HCL; members that only the provider sets are not listed. */
interface Written {
  readonly isBlock: boolean;
  readonly type: string;
  readonly storageClassType: string;
}

type Class = new (...args: readonly unknown[]) => object;

interface Module {
  readonly exports: ReadonlyMap<string, unknown>;
  /** What the documentation says of an attribute, by `Interface.attribute`. */
  readonly words: ReadonlyMap<string, string>;
}

/**
 * The schema of the resource or data source in a module. It lacks what compiled code does not hold:
 * see schema/NOTICE.
 */
export function recoverSchema(binding: Binding): Schema {
  const module = load(binding);
  const found = [...module.exports].find(
    ([, value]) => isClass(value) && 'tfResourceType' in value,
  );
  if (found === undefined || !isClass(found[1])) throw new Error(`${binding.file}: no resource`);
  const [name, resource] = found;
  const instance = new resource(undefined, 'x', anything);
  return { version: 0, block: blockOf(module, instance, `${name}Config`, writtenBy(instance)) };
}

/** The schema of the provider's own configuration; its bindings have no getters to ask. */
export function recoverProvider(binding: Binding): Schema {
  const { exports, words } = load(binding);
  const found = exports.get('GoogleProvider');
  if (!isClass(found)) throw new Error(`${binding.file}: no provider`);
  const types = { string: 'string', boolean: 'bool', number: 'number' } as const;
  const attributes: Record<string, Attribute> = {};
  for (const [key, { storageClassType: stored }] of writtenBy(
    new found(undefined, 'x', anything),
  )) {
    if (key === 'alias' || key.endsWith('_custom_endpoint')) continue;
    const type =
      stored === 'stringMap'
        ? (['map', 'string'] as const)
        : stored === 'stringList'
          ? (['list', 'string'] as const)
          : types[stored as keyof typeof types];
    if (type !== undefined) {
      attributes[key] = { type, ...describe(words, `GoogleProviderConfig.${key}`), optional: true };
    }
  }
  return { version: 0, block: { attributes, block_types: {} } };
}

function load({ file, code, declarations }: Binding): Module {
  return { exports: runBinding(code, file), words: wordsOf(declarations) };
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && value.prototype !== undefined;
}

function blockOf(
  module: Module,
  instance: object,
  interfaceName: string,
  written: ReadonlyMap<string, Written>,
): Block {
  const attributes: Record<string, Attribute> = {};
  const blocks: Record<string, NestedBlock> = {};
  for (const { value, required, optional } of membersOf(instance)) {
    if (value instanceof Leaf) {
      const type =
        written.get(value.name)?.type === 'set' && typeof value.type === 'object'
          ? (['set', value.type[0] === 'object' ? value.type : value.type[1]] as const)
          : value.type;
      attributes[value.name] = {
        type,
        ...describe(module.words, `${interfaceName}.${value.name}`),
        ...flags(required, optional),
      };
    } else if (value instanceof SingleBlock || value instanceof ListOfBlocks) {
      const form = written.get(value.terraformAttribute);
      const item = value instanceof ListOfBlocks ? value.get(0) : value;
      if (!(item instanceof SingleBlock)) continue;
      const stem = item.constructor.name.replace(/OutputReference$/, '');
      const block = blockOf(module, item, stem, writtenOf(module, stem));
      const set =
        form?.type === 'set' || (value instanceof ListOfBlocks && value.wrapsSet === true);
      if (form?.isBlock === true) {
        blocks[value.terraformAttribute] = {
          nesting_mode: form.type === 'struct' ? 'single' : set ? 'set' : 'list',
          block,
          ...(required ? { min_items: 1 } : {}),
          ...(value instanceof SingleBlock && form.type !== 'struct' ? { max_items: 1 } : {}),
        };
      } else {
        attributes[value.terraformAttribute] = {
          type: [set ? 'set' : 'list', typeOfBlock(block)],
          ...flags(required, optional),
        };
      }
    }
  }
  return { attributes, block_types: blocks };
}

function flags(required: boolean, optional: boolean): Partial<Attribute> {
  if (required) return { required: true };
  return optional ? { optional: true } : { computed: true };
}

interface Member {
  readonly value: unknown;
  readonly required: boolean;
  readonly optional: boolean;
}

/** A getter with a setter (or `put...`) can be written; with `reset...` it may be left out. */
function membersOf(instance: object): readonly Member[] {
  const prototype: object = Object.getPrototypeOf(instance) as object;
  const own = Object.getOwnPropertyDescriptors(prototype);
  return Object.entries(own).flatMap(([name, descriptor]): Member[] => {
    const base = name.replace(/Input$/, '');
    if (descriptor.get === undefined || name === 'internalValue') return [];
    if (base !== name && base in own) return [];
    const capital = name.charAt(0).toUpperCase() + name.slice(1);
    const settable = descriptor.set !== undefined || `put${capital}` in own;
    const resettable = `reset${capital}` in own;
    const value: unknown = Reflect.get(instance, name);
    return [{ value, required: settable && !resettable, optional: settable && resettable }];
  });
}

function writtenBy(instance: object): ReadonlyMap<string, Written> {
  const synthesize: unknown = Reflect.get(instance, 'synthesizeHclAttributes');
  return typeof synthesize === 'function'
    ? toWritten(Reflect.apply(synthesize, instance, []))
    : new Map();
}

function writtenOf({ exports }: Module, stem: string): ReadonlyMap<string, Written> {
  const name = `${stem.charAt(0).toLowerCase()}${stem.slice(1)}ToHclTerraform`;
  const toHcl = exports.get(name);
  return typeof toHcl === 'function'
    ? toWritten(Reflect.apply(toHcl, undefined, [anything]))
    : new Map();
}

function toWritten(answer: unknown): ReadonlyMap<string, Written> {
  return new Map(Object.entries(answer as Readonly<Record<string, Written>>));
}

/**
 * The declarations' comments name each attribute in a link: `#location CloudTasksQueue#location`.
 */
function wordsOf(declarations: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const [, name = '', body = ''] of declarations.matchAll(
    /^export interface (\w+)[^{]*\{\n(.*?)^\}/gms,
  )) {
    for (const [, comment = ''] of body.matchAll(/\/\*\*(.*?)\*\//gs)) {
      const attribute = /#(\w+) \w+#\1\}/.exec(comment)?.[1];
      if (attribute !== undefined) words.set(`${name}.${attribute}`, comment);
    }
  }
  return words;
}

/** Of a description only what can be checked: the values that are allowed, and the default. */
export function checkable(description: string): string {
  const parts = [/Default value: "[^"]*"/, /Possible values: \[[^\]]*\]/];
  return parts.flatMap((part) => part.exec(description)?.[0] ?? []).join(' ');
}

function describe(words: ReadonlyMap<string, string>, key: string): Partial<Attribute> {
  const description = checkable(words.get(key) ?? '');
  return description === '' ? {} : { description };
}
