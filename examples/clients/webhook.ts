import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';

export interface WebhookOptions {
  /** The base URL of the server whose notifications are believed. */
  readonly issuer: string;
  /** What the webhook was set up with. */
  readonly token: string;
  /** Where it is, without a path: `http://127.0.0.1:9200`. */
  readonly origin: string;
  /** Acts on one notification; is called once for each event, however often it comes. */
  readonly take: (event: object) => void;
}

/**
 * Receives the push notifications of tasks. It believes what carries its token and a signature of
 * the server, and takes each event once: one whose answer was lost comes again.
 */
export function webhook({ issuer, origin, take, token }: WebhookOptions): Server {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer));
  // Yours lies in a database: a receiver that starts again must know what it took.
  const taken = new Set<string>();
  return createServer((request, response) => {
    receive(request)
      .then((status) => response.writeHead(status).end())
      .catch(() => response.writeHead(500).end());
  });

  async function receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const header = (name: string): string => String(request.headers[name] ?? '');
    if (header('x-a2a-notification-token') !== token) return 401;
    const payload = await signedBy(header('holdfast-signature'));
    if (payload?.['sha256'] !== createHash('sha256').update(body).digest('base64url')) return 401;
    const id = String(payload.jti);
    if (taken.has(id)) return 204;
    take(z.looseObject({}).parse(JSON.parse(body.toString('utf8'))));
    // Not before: what could not be taken is to come again.
    taken.add(id);
    return 204;
  }

  async function signedBy(jwt: string): Promise<JWTPayload | undefined> {
    try {
      const claims = { issuer, audience: origin, typ: 'notification+jwt' };
      return (await jwtVerify(jwt, keys, claims)).payload;
    } catch (error) {
      // Anything else, a server that is away for instance, is no word on the signature.
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw error;
      return undefined;
    }
  }
}

if (import.meta.main) {
  const [issuer = 'http://127.0.0.1:8080', token = 'my-token'] = process.argv.slice(2);
  const take = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
  webhook({ issuer, token, origin: 'http://127.0.0.1:9200', take }).listen(9200, '127.0.0.1');
}
