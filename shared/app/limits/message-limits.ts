import { invalid, type Refused } from '../../domain/refusal.ts';
import type { Settings } from '../../domain/settings.ts';
import type { SendRequest } from '../service.ts';

type Limits = Pick<Settings, 'messageParts' | 'metadataBytes'>;

/** What of a message is more than one may hold; undefined: nothing. */
export function messageTooLarge(
  { messageParts, metadataBytes }: Limits,
  { beside, message }: SendRequest,
): Refused | undefined {
  const { metadata, parts } = message;
  if (parts.length > messageParts) {
    const words = `holds ${parts.length} parts; a message has at most ${messageParts} (limit messageParts)`;
    return invalid('message.parts', words);
  }
  const given = [
    { field: 'metadata', value: beside?.metadata },
    { field: 'message.metadata', value: metadata },
    ...parts.map((part, at) => ({ field: `message.parts[${at}].metadata`, value: part.metadata })),
  ];
  const large = given.find(({ value }) => value && sizeOf(value) > metadataBytes);
  if (large === undefined) return undefined;
  const words = `is larger than ${metadataBytes} bytes (limit metadataBytes); send large content in a part`;
  return invalid(large.field, words);
}

/** Of its JSON, in bytes. */
function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
