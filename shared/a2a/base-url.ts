import type { IncomingMessage } from 'node:http';
import { headerOf } from './http-request.ts';

export interface BaseUrlOptions {
  /** Where clients reach the deployment. Without it, it is read off each request. */
  readonly baseUrl?: string;
  /**
   * Believe X-Forwarded-Proto, or X-Forwarded-Host too: only behind a proxy that sets it itself.
   * Google's front end sets the former; the latter it hands through as any caller wrote it.
   */
  readonly trustForwarded?: 'proto' | 'proto-and-host';
}

const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Without a trailing slash. A Host header that is no host never gets into a card. */
export function baseUrlOf(
  req: IncomingMessage,
  { baseUrl, trustForwarded }: BaseUrlOptions,
): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const first = (name: string, trusted: boolean) =>
    trusted ? headerOf(req, name)?.split(',')[0]?.trim() : undefined;
  const proto =
    first('x-forwarded-proto', trustForwarded !== undefined) ??
    ('encrypted' in req.socket ? 'https' : 'http');
  const behind = trustForwarded === 'proto-and-host';
  const host = first('x-forwarded-host', behind) ?? req.headers.host ?? '';
  const scheme = proto === 'https' ? 'https' : 'http';
  return `${scheme}://${HOST.test(host) ? host : 'localhost'}`;
}
