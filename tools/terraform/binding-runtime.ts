// The generated CDKTF bindings hold the provider's schema as code: a class for each block, a getter
// for each attribute. They are run here over a stand-in for the `cdktf` package that answers every
// getter with its name and type.
import { compileFunction } from 'node:vm';
import type { AttributeType } from './schema-document.ts';

/** What an attribute's getter answers. */
export class Leaf {
  readonly name: string;
  readonly type: AttributeType;
  constructor(name: string, type: AttributeType) {
    this.name = name;
    this.type = type;
  }
}

class Element {
  getStringAttribute(name: string): Leaf {
    return new Leaf(name, 'string');
  }
  getNumberAttribute(name: string): Leaf {
    return new Leaf(name, 'number');
  }
  getBooleanAttribute(name: string): Leaf {
    return new Leaf(name, 'bool');
  }
  getListAttribute(name: string): Leaf {
    return new Leaf(name, ['list', 'string']);
  }
  getNumberListAttribute(name: string): Leaf {
    return new Leaf(name, ['list', 'number']);
  }
  getStringMapAttribute(name: string): Leaf {
    return new Leaf(name, ['map', 'string']);
  }
  getNumberMapAttribute(name: string): Leaf {
    return new Leaf(name, ['map', 'number']);
  }
  getBooleanMapAttribute(name: string): Leaf {
    return new Leaf(name, ['map', 'bool']);
  }
  interpolationForAttribute(name: string): Leaf {
    return new Leaf(name, 'dynamic');
  }
}

/** A block that stands alone, or an item of a ListOfBlocks. */
export class SingleBlock extends Element {
  readonly terraformAttribute: string;
  constructor(_parent: unknown, terraformAttribute: string) {
    super();
    this.terraformAttribute = terraformAttribute;
  }
}

export class ListOfBlocks {
  readonly terraformAttribute: string;
  readonly wrapsSet: boolean;
  constructor(_parent: unknown, terraformAttribute: string, wrapsSet: boolean) {
    this.terraformAttribute = terraformAttribute;
    this.wrapsSet = wrapsSet;
  }
  /** The generated subclass answers an item. */
  get(_index: number): unknown {
    return undefined;
  }
}

function mapOf(type: AttributeType) {
  return class extends Leaf {
    constructor(_parent: unknown, name: string) {
      super(name, type);
    }
  };
}

const given = (): true => true;
const mapper = (): (() => true) => given;

const CDKTF = {
  TerraformResource: Element,
  TerraformDataSource: Element,
  TerraformProvider: Element,
  ImportableResource: Element,
  ComplexObject: SingleBlock,
  ComplexList: ListOfBlocks,
  MapList: ListOfBlocks,
  StringMap: mapOf(['map', 'string']),
  NumberMap: mapOf(['map', 'number']),
  BooleanMap: mapOf(['map', 'bool']),
  StringMapList: mapOf(['list', ['map', 'string']]),
  Fn: {
    tolist: (leaf: Leaf): Leaf =>
      typeof leaf.type === 'object' && leaf.type[0] === 'list'
        ? new Leaf(leaf.name, ['set', leaf.type[1]])
        : leaf,
  },
  Tokenization: { isResolvable: () => false },
  canInspect: given,
  isComplexElement: () => false,
  listMapper: mapper,
  listMapperHcl: mapper,
  hashMapper: mapper,
  hashMapperHcl: mapper,
  ...Object.fromEntries(
    ['string', 'number', 'boolean', 'any']
      .flatMap((type) => [`${type}ToTerraform`, `${type}ToHclTerraform`])
      .map((name) => [name, given]),
  ),
};

/** Stands for any configuration: each of its members is set, and is itself again. */
export const anything: object = new Proxy(
  {},
  { get: (_target, key) => (typeof key === 'symbol' ? undefined : anything) },
);

/** Runs one compiled module of the bindings and answers what it exports. */
export function runBinding(source: string, file: string): ReadonlyMap<string, unknown> {
  const exported: Record<string, unknown> = {};
  const run: unknown = compileFunction(source, ['exports', 'require'], { filename: file });
  if (typeof run !== 'function') throw new Error(`${file} is no module`);
  Reflect.apply(run, undefined, [exported, () => CDKTF]);
  return new Map(Object.entries(exported));
}
