import { createHash } from 'node:crypto';
import { encodedHeader, type PublicJwk, signingInput, thumbprintOf } from '../../domain/jws.ts';
import type { Notification } from '../../domain/webhook.ts';
import type { Signer } from '../../ports/signer.ts';
import type { App } from '../app.ts';

/** So long a receiver may take a signature for a fresh one. */
const LIFE = 300;
/** Each key is asked for its public half once. */
const known = new WeakMap<Signer, Promise<PublicJwk>>();

/**
 * A JWT (RFC 7519) by which a webhook can tell that a notification is ours and unchanged: of which
 * event, for which origin, and the SHA-256 of the body. Undefined where the deployment signs
 * nothing. The key is that of the agent cards; its public half lies at `jku`. Throws a fault where
 * the key can't be reached.
 */
export async function signatureOf(
  app: App,
  { seq, target, taskId }: Notification,
  body: string,
): Promise<string | undefined> {
  const { baseUrl, signer } = app;
  if (signer === undefined || baseUrl === undefined) return undefined;
  const base = baseUrl.replace(/\/+$/, '');
  const kid = thumbprintOf(await publicKeyOf(signer));
  const jku = `${base}/.well-known/jwks.json`;
  const header = encodedHeader({ alg: 'ES256', kid, typ: 'notification+jwt', jku });
  const iat = Math.floor(app.clock.now() / 1_000);
  const claims = JSON.stringify({
    iss: base,
    aud: new URL(target.url).origin,
    iat,
    exp: iat + LIFE,
    jti: `${taskId}/${seq}`,
    task: taskId,
    event: seq,
    sha256: createHash('sha256').update(body).digest('base64url'),
  });
  const input = signingInput(header, claims);
  const signature = Buffer.from(await signer.sign(input)).toString('base64url');
  return `${input.toString()}.${signature}`;
}

function publicKeyOf(signer: Signer): Promise<PublicJwk> {
  const asked = known.get(signer) ?? signer.publicKey();
  known.set(signer, asked);
  asked.catch(() => known.delete(signer));
  return asked;
}
