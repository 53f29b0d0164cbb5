import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What stands at a number of a message: a message of that type, or an entry of a map of them. */
type Inner =
  | { readonly kind: 'message'; readonly type: DescMessage }
  | { readonly kind: 'entry'; readonly value: DescMessage };

interface Part {
  readonly inner: Inner;
  readonly bytes: Uint8Array;
}

/** The value of a map's entry. */
const VALUE = 2;

/**
 * How many fields the message has, those of its messages counted, without making them: in memory a
 * list of empty values takes fifty times its bytes. Stops counting at bytes that are none of the
 * type, which is for the decoder to say.
 */
export function countFields(type: DescMessage, message: Uint8Array): number {
  const open: Part[] = [{ inner: { kind: 'message', type }, bytes: message }];
  let fields = 0;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const reader = new BinaryReader(part.bytes);
    try {
      while (reader.pos < reader.len) {
        const [number, wire] = reader.tag();
        fields += 1;
        const inner = wire === WireType.LengthDelimited ? innerAt(part.inner, number) : undefined;
        if (inner === undefined) reader.skip(wire, number);
        else open.push({ inner, bytes: reader.bytes() });
      }
    } catch {
      return fields;
    }
  }
  return fields;
}

function innerAt(inner: Inner, number: number): Inner | undefined {
  if (inner.kind === 'entry') {
    return number === VALUE ? { kind: 'message', type: inner.value } : undefined;
  }
  const field = inner.type.fields.find((each) => each.number === number);
  return field === undefined ? undefined : innerOf(field);
}

function innerOf(field: DescField): Inner | undefined {
  if (field.message === undefined) return undefined;
  const kind = field.fieldKind === 'map' ? 'entry' : 'message';
  return kind === 'entry' ? { kind, value: field.message } : { kind, type: field.message };
}
