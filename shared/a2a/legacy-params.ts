import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { invalidParams } from './failure.ts';
import { isBase64 } from './schema.ts';

/**
 * The SDK's v0.3 translation takes a JSON-RPC configuration without `blocking` for a non-blocking one, while without a
 * configuration it blocks; v0.3 servers block in both cases. (Over HTTP+JSON absent is proto3's false.)
 */
export function withBlocking(params: JsonObject): JsonObject {
  const { configuration } = params;
  if (!isJsonObject(configuration) || typeof configuration['blocking'] === 'boolean') return params;
  return { ...params, configuration: { ...configuration, blocking: true } };
}

/**
 * The translation fails with a TypeError where a file is no object, and decodes any text as base64. This looks ahead of it at
 * both; the rest is checked behind it (from-wire.ts).
 */
export function checkFiles(message: unknown): void {
  if (!isJsonObject(message)) return;
  // JSON-RPC has `parts` with a `kind`, HTTP+JSON the proto's `content` without.
  const name = Array.isArray(message['parts']) ? 'parts' : 'content';
  const parts = message[name];
  if (!Array.isArray(parts)) return;
  for (const [index, part] of parts.entries()) {
    const field = `message.${name}[${index}]`;
    if (!isJsonObject(part)) throw violation(field, 'must be an object');
    const { file, kind } = part;
    if (file === undefined && kind !== 'file') continue;
    if (!isJsonObject(file)) throw violation(`${field}.file`, 'must be an object');
    const bytes = file['bytes'] ?? file['fileWithBytes'] ?? file['file_with_bytes'];
    if (bytes === undefined) continue;
    if (typeof bytes === 'string' && isBase64(bytes)) continue;
    throw violation(`${field}.file.bytes`, 'must be base64');
  }
}

function violation(field: string, description: string): Error {
  return invalidParams([{ field, description }]);
}
