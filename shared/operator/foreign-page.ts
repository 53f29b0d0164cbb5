import type { IncomingMessage } from 'node:http';
import { failureOfOrigin } from '../http/guard.ts';
import { type Failure } from './failure.ts';

type Asked = Pick<IncomingMessage, 'headers'>;

/**
 * Why a request is refused that a page of another site may have made, in the browser of an operator
 * who is signed in to the platform's proxy, or on whose machine this listens. `hosts`: the names
 * that this server is called by, which a page whose name was made to point here is not among (DNS
 * rebinding); absent: any. A browser says in Sec-Fetch-Site which page asks, and no page can change
 * that; an older one says it by Origin; a program says nothing.
 */
export function failureOfForeignPage(
  { headers }: Asked,
  hosts: readonly string[] | undefined,
): Failure | undefined {
  const site = headers['sec-fetch-site'];
  const byHost = failureOfHost({ headers }, hosts);
  if (byHost !== undefined) return byHost;
  if (site === undefined) {
    const failure = failureOfOrigin({ headers }, {});
    return failure && ours(failure);
  }
  if (site === 'same-origin' || site === 'none') return undefined;
  return refused();
}

/** Of a page or its script alone: they hold nothing of any operator. */
export function failureOfHost(
  { headers: { host } }: Asked,
  hosts: readonly string[] | undefined,
): Failure | undefined {
  if (hosts === undefined) return undefined;
  const failure = failureOfOrigin({ headers: { host } }, { hosts });
  return failure && ours(failure);
}

function ours({ code }: { readonly code: 'HOST_REFUSED' | 'ORIGIN_REFUSED' }): Failure {
  if (code === 'ORIGIN_REFUSED') return refused();
  const message =
    'This server is not called by that Host: it is for programs and browsers of this machine.';
  return { code: 'HOST_REFUSED', message, close: true };
}

function refused(): Failure {
  const message = 'Pages of another site may not call.';
  return { code: 'ORIGIN_REFUSED', message, close: true };
}
