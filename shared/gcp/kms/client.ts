import type { GoogleAuth } from 'google-auth-library';
import { z } from 'zod';
import { optional } from '../../ports/optional-package.ts';
import { KmsRefusal } from './outcome.ts';

export interface KmsClientOptions {
  /**
   * Google's, unless given. Without TLS, for an emulator, no credentials are looked for and none
   * are sent.
   */
  readonly endpoint: string;
}

const SCOPE = 'https://www.googleapis.com/auth/cloudkms';
const refusal = z.object({ error: z.object({ message: z.string() }) });

/**
 * The few methods of Cloud KMS that are called over REST (https://cloud.google.com/kms/docs/reference/rest). Its own
 * client would load gRPC for them and cost a cold start more than everything else here.
 */
export class KmsClient {
  readonly #endpoint: string;
  #opening: Promise<GoogleAuth | undefined> | undefined;

  constructor({ endpoint }: KmsClientOptions) {
    this.#endpoint = endpoint;
  }

  /**
   * Answers the body of a 2xx. A call that has no answer at its deadline, in milliseconds, takes
   * its connection with it. Throws KmsRefusal for any other, and what the network throws.
   */
  call(
    key: string,
    method: 'encrypt' | 'decrypt' | 'asymmetricSign',
    body: object,
    deadline: number,
  ): Promise<unknown> {
    const type = { 'content-type': 'application/json' };
    const init = { method: 'POST', body: JSON.stringify(body) };
    return this.#exchange(`${key}:${method}`, init, type, deadline);
  }

  /** As `call`, for a resource that is read by its name. */
  read(name: string, deadline: number): Promise<unknown> {
    return this.#exchange(name, { method: 'GET' }, {}, deadline);
  }

  async #exchange(
    path: string,
    init: { readonly method: string; readonly body?: string },
    more: Readonly<Record<string, string>>,
    deadline: number,
  ): Promise<unknown> {
    this.#opening ??= openAuth(this.#endpoint);
    const auth = await this.#opening;
    const url = `${this.#endpoint}/v1/${path}`;
    const headers = new Headers(await auth?.getRequestHeaders(url));
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    const signal = AbortSignal.timeout(deadline);
    const response = await fetch(url, { ...init, headers, signal });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return answer;
    const parsed = refusal.safeParse(answer);
    const message = parsed.success ? parsed.data.error.message : response.statusText;
    throw new KmsRefusal(response.status, message);
  }
}

async function openAuth(endpoint: string): Promise<GoogleAuth | undefined> {
  if (!endpoint.startsWith('https:')) return undefined;
  const { GoogleAuth } = await optional(import('google-auth-library'));
  return new GoogleAuth({ scopes: [SCOPE] });
}
