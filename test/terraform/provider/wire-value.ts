import { Decoder, Encoder, ExtensionCodec } from '@msgpack/msgpack';

/**
 * A value that is known only after apply. Terraform may add what it knows of it; that is kept, and
 * sent back as it came.
 */
export class Unknown {
  readonly extension: number;
  readonly data: Uint8Array;
  constructor(extension = PLAIN, data: Uint8Array = new Uint8Array([0])) {
    this.extension = extension;
    this.data = data;
  }
}

/** A value of Terraform's type system; blocks and objects are records. */
export type Value =
  | null
  | string
  | number
  | bigint
  | boolean
  | Unknown
  | readonly Value[]
  | { readonly [name: string]: Value };

/** As the protocol carries one. */
export interface WireValue {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}

// Numbers of the msgpack extensions: https://github.com/zclconf/go-cty/blob/main/docs/marshal.md
const PLAIN = 0;
const REFINED = 12;

const codec = new ExtensionCodec();
for (const type of [PLAIN, REFINED]) {
  codec.register({
    type,
    encode: (value: unknown) =>
      value instanceof Unknown && value.extension === type ? value.data : null,
    decode: (data) => new Unknown(type, data),
  });
}
const encoder = new Encoder({ extensionCodec: codec, ignoreUndefined: true });
const decoder = new Decoder({ extensionCodec: codec });

export function fromWire(wire: WireValue | null | undefined): Value {
  if (wire?.msgpack !== undefined && wire.msgpack.length > 0) {
    return decoder.decode(wire.msgpack) as Value;
  }
  if (wire?.json !== undefined && wire.json.length > 0) {
    return JSON.parse(Buffer.from(wire.json).toString('utf8')) as Value;
  }
  return null;
}

export function toWire(value: Value): WireValue {
  return { msgpack: encoder.encode(value) };
}

export type Fields = { readonly [name: string]: Value };

export function isFields(value: Value | undefined): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown)
  );
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Neither left out nor an empty list of blocks. */
export function isGiven(value: Value | undefined): boolean {
  return value !== null && value !== undefined && !(isList(value) && value.length === 0);
}
