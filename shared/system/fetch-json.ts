import type { Millis } from '../domain/brand.ts';
import type { FetchJson } from '../ports/fetch-json.ts';

const LONGEST: Millis = 3_000;
const LARGEST = 256 * 1024;

/** By the machine's network, to addresses that its operator chose. */
export const fetchJson: FetchJson = async (url) => {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(LONGEST),
  });
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    if (chunks.reduce((sum, { length }) => sum + length, 0) > LARGEST)
      throw new Error(`${url} answers more than ${LARGEST} bytes`);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
};
