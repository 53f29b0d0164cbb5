import type { IncomingMessage } from 'node:http';
import { headerOf } from './http-request.ts';

/** Where gRPC is spoken: at that address, or at a port of the host that a request names. */
export type GrpcPlace = { readonly url: string } | { readonly port: number };

export interface BaseUrlOptions {
  /** Where clients reach the deployment. Without it, it is read off each request. */
  readonly baseUrl?: string;
  /** Absent: it is not spoken. */
  readonly grpc?: GrpcPlace;
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
  const host = first('x-forwarded-host', behind) ?? req.headers.host;
  const scheme = proto === 'https' ? 'https' : 'http';
  return `${scheme}://${hostOf(host)}`;
}

/**
 * The address of the gRPC binding, as its clients take it: a host and a port without a scheme.
 * Undefined where it is not known: a port of this machine says nothing behind another address.
 */
export function grpcUrlOf(
  { baseUrl, grpc }: BaseUrlOptions,
  req?: IncomingMessage,
): string | undefined {
  if (grpc === undefined || 'url' in grpc) return grpc?.url;
  if (baseUrl !== undefined || req === undefined) return undefined;
  return `${hostOf(req.headers.host).replace(/:\d+$/, '')}:${grpc.port}`;
}

/** A host that may stand in a card; anything else that a request says may not. */
export function hostOf(host = ''): string {
  return HOST.test(host) ? host : 'localhost';
}
