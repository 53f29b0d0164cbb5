import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/**
 * The Terraform command for this run; empty when there is none. Waits while it is built, which can
 * take minutes.
 */
export async function askBinary(): Promise<string> {
  const request = get(inject('terraformDesk'));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
  return answer;
}
