import { Client, resultOf } from './client.ts';
import type { Running } from './subject.ts';

/**
 * Speeds say something only where both servers answer the same. The bytes of each answer.
 *
 * @throws when their answers differ in a field, or by more than a hundredth in length.
 */
export async function checkAlike(
  servers: readonly Running[],
  method: string,
  params: object,
): Promise<readonly number[]> {
  const found = await Promise.all(servers.map((server) => answer(server, method, params)));
  const [first, ...others] = found;
  for (const { fields, bytes } of others) {
    if (first === undefined) break;
    if (fields !== first.fields) {
      throw new Error(`${method} is answered by different fields: ${first.fields} and ${fields}`);
    }
    if (Math.abs(bytes - first.bytes) > first.bytes / 100) {
      throw new Error(`${method} is answered by ${first.bytes} and by ${bytes} bytes`);
    }
  }
  return found.map(({ bytes }) => bytes);
}

async function answer(server: Running, method: string, params: object) {
  const client = new Client(server.url);
  try {
    const text = await client.call(method, params);
    return { bytes: Buffer.byteLength(text), fields: fieldsOf(resultOf<unknown>(text)) };
  } finally {
    client.close();
  }
}

/** The names in a value, without what they hold; of a list, each form that occurs in it once. */
function fieldsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(fieldsOf))].sort().join('|')}]`;
  if (typeof value !== 'object' || value === null) return typeof value;
  const members = Object.entries(value).map(([name, member]) => `${name}:${fieldsOf(member)}`);
  return `{${members.sort().join(',')}}`;
}
