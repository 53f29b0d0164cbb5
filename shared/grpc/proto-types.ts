import { createFileRegistry, createRegistry, type DescMessage } from '@bufbuild/protobuf';
import {
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt';
import { descriptorOf } from './descriptor.ts';
import { A2A, GOOGLE_RPC, HEALTH } from './proto-table.ts';

const WELL_KNOWN = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
];

/** Every type that goes over the wire, by its full name. */
export const TYPES = createRegistry(
  ...WELL_KNOWN,
  ...[A2A, GOOGLE_RPC, HEALTH].map((file) =>
    createFileRegistry(descriptorOf(file), (path) =>
      WELL_KNOWN.find(({ name }) => `${name}.proto` === path),
    ),
  ),
);

/** Throws for a name that no type has. */
export function typeNamed(name: string): DescMessage {
  const type = TYPES.getMessage(name);
  if (type === undefined) throw new TypeError(`there is no message ${name}`);
  return type;
}
