import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const operators = z.object({ local: z.object({ token: z.string() }) });

interface Answered {
  readonly status: number;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
  readonly text: string;
}

/** The operators' API, for who has that token. */
export function operatorAt(url: string, token: string) {
  const ask = async (method: string, path: string, body?: object): Promise<Answered> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      text,
      body: json ? (JSON.parse(text) as unknown) : undefined,
    };
  };
  return {
    url,
    token,
    get: (path: string) => ask('GET', path),
    post: (path: string, body: object = {}) => ask('POST', path, body),
  };
}

/**
 * The operators' API of a server on this machine, as a user who may read its data folder finds it.
 */
export async function asOperator({ data }: { readonly data: string }) {
  const url = (await readFile(join(data, 'operator-url'), 'utf8')).trim();
  const file: unknown = JSON.parse(await readFile(join(data, 'operators.json'), 'utf8'));
  return operatorAt(url, operators.parse(file).local.token);
}
