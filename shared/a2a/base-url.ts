import type { Request } from 'express';

export interface BaseUrlOptions {
  /** Where clients reach the deployment. Without it, it is read off each request. */
  readonly baseUrl?: string;
  /** Believe X-Forwarded-Host and X-Forwarded-Proto: only behind a proxy that sets both itself. */
  readonly trustForwarded?: boolean;
}

const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Without a trailing slash. A Host header that is no host never gets into a card. */
export function baseUrlOf(req: Request, { baseUrl, trustForwarded }: BaseUrlOptions): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const forwarded = (name: string) =>
    trustForwarded === true ? req.get(name)?.split(',')[0]?.trim() : undefined;
  const proto = forwarded('x-forwarded-proto') ?? req.protocol;
  const host = forwarded('x-forwarded-host') ?? req.get('host') ?? '';
  const scheme = proto === 'https' ? 'https' : 'http';
  return `${scheme}://${HOST.test(host) ? host : 'localhost'}`;
}
