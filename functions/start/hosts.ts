import { LOOPBACK_HOSTS } from '../../shared/http/guard.ts';
import type { StartOptions } from './arguments.ts';

/**
 * The names that a server on this machine is called by. On loopback they are known; on another
 * address they are not, and any is taken
 * unless --allow-host says which.
 */
export function hostsOf({
  allowHost,
  baseUrl,
  host,
}: Pick<StartOptions, 'allowHost' | 'baseUrl' | 'host'>): readonly string[] | undefined {
  const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);
  if (!loopback && allowHost.length === 0) return undefined;
  const named = baseUrl === undefined ? [] : [new URL(baseUrl).hostname];
  return [
    ...new Set([
      ...LOOPBACK_HOSTS,
      host.includes(':') ? `[${host}]` : host,
      ...named,
      ...allowHost,
    ]),
  ];
}
