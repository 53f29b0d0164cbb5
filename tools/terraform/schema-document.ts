/**
 * A type as Terraform's own JSON writes it: `"string"`, `["list", "string"]`,
 * `["object", { name: "string" }]`.
 */
export type AttributeType =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', AttributeType]
  | readonly ['object', { readonly [name: string]: AttributeType }];

export interface Attribute {
  readonly type: AttributeType;
  readonly description?: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly write_only?: boolean;
}

export interface NestedBlock {
  readonly nesting_mode: 'single' | 'list' | 'set';
  readonly block: Block;
  readonly min_items?: number;
  readonly max_items?: number;
}

export interface Block {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly block_types?: Readonly<Record<string, NestedBlock>>;
}

export interface Schema {
  readonly version: number;
  readonly block: Block;
}

export interface ProviderSchema {
  readonly provider: Schema;
  readonly resource_schemas: Readonly<Record<string, Schema>>;
  readonly data_source_schemas: Readonly<Record<string, Schema>>;
}

/** What `terraform providers schema -json` prints, as far as it is used here. */
export interface SchemaDocument {
  readonly format_version: string;
  readonly provider_schemas: Readonly<Record<string, ProviderSchema>>;
}

/** The type of a block's value. */
export function typeOfBlock(block: Block): AttributeType {
  const members: Record<string, AttributeType> = {};
  for (const [name, attribute] of Object.entries(block.attributes ?? {})) {
    members[name] = attribute.type;
  }
  for (const [name, nested] of Object.entries(block.block_types ?? {})) {
    const inner = typeOfBlock(nested.block);
    members[name] = nested.nesting_mode === 'single' ? inner : [nested.nesting_mode, inner];
  }
  return ['object', members];
}
