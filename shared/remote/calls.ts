import type { AgentCard } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { Millis } from '../domain/brand.ts';
import type { Remote } from '../domain/remote.ts';
import { allowedFor } from '../outgoing/address-guard.ts';
import type { Clock } from '../ports/clock.ts';
import { type CallDeadline, callDeadline } from '../outgoing/call-deadline.ts';
import { type Called, judge, malformed } from './called.ts';
import { Cards, type LoadedCard } from './cards.ts';
import { INTERFACES, withAdvice } from './configuration-fault.ts';
import type { ConnectOptions } from '../outgoing/connect.ts';
import { authorization, type Credential, credentialOf, type Secrets } from './credential.ts';
import { destinationOf } from '../outgoing/destination.ts';
import { callHttp, type HttpOutcome } from '../outgoing/call-http.ts';
import { clientFor, usableInterfaces } from './sdk-client.ts';

export interface CallsOptions extends ConnectOptions {
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly timeout: Millis;
}

/**
 * What is done with a client: one request, and its answer in our words. Throws at an answer that
 * can't be used.
 */
export type Use<T> = (client: Client, card: AgentCard) => Promise<T>;

type Judged = ReturnType<typeof judge>;

const notSent = (reason: string): Called<never> => ({ kind: 'not_sent', failure: { reason } });

/** Calls of remote agents: one deadline over card and request, and one request for each call. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #cards: Cards;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#cards = new Cards(options);
  }

  async call<T>(remote: Remote, use: Use<T>, signal?: AbortSignal): Promise<Called<T>> {
    const { clock, timeout } = this.#options;
    const deadline = callDeadline(clock, timeout, signal);
    try {
      const called = await this.#call(remote, use, deadline);
      if (isMisled(called)) this.#cards.forget(remote);
      return withAdvice(called, remote);
    } finally {
      deadline.end();
    }
  }

  async #call<T>(remote: Remote, use: Use<T>, deadline: CallDeadline): Promise<Called<T>> {
    if (deadline.signal.aborted) return notSent(deadline.why());
    const credential = await credentialOf(remote, this.#options.secrets);
    if (credential.kind === 'missing') return notSent('no credential');
    const loaded = await this.#card(remote, credential, deadline);
    if (loaded.kind === 'none') return { kind: 'not_sent', failure: loaded.failure };
    const { card } = loaded;
    const interfaces = usableInterfaces(card, (url) => this.#mayUse(url, remote, credential));
    if (interfaces.length === 0) {
      const advice = usableInterfaces(card, () => true).length > 0 ? { advice: INTERFACES } : {};
      return { kind: 'not_sent', failure: { reason: 'no usable interface', ...advice } };
    }

    const came: { judged?: Judged } = {};
    const fetchOnce: typeof fetch = async (input, init) => {
      if (came.judged !== undefined) throw new Error('one request for each call');
      const exchanged = await this.#exchange(addressOf(input), init, remote, credential, deadline);
      came.judged = judge(exchanged, this.#options.clock.now());
      if (came.judged.kind !== 'readable') throw new Error('nothing to read');
      return new Response(came.judged.text);
    };
    let value: T;
    try {
      value = await use(await clientFor(card, interfaces, fetchOnce), card);
    } catch {
      // What became of the request says more than what the SDK made of it.
      if (came.judged === undefined) return notSent('bad request');
      return came.judged.kind === 'readable'
        ? { kind: 'unusable', failure: malformed }
        : came.judged;
    }
    const bytes = came.judged?.kind === 'readable' ? came.judged.bytes : 0;
    return { kind: 'result', value, bytes };
  }

  /**
   * A card has a third of the time, so that what leaves has most of it: a message that times out is
   * out of our hands.
   */
  async #card(
    remote: Remote,
    credential: Credential,
    { signal }: CallDeadline,
  ): Promise<LoadedCard> {
    const { clock, timeout } = this.#options;
    const deadline = callDeadline(clock, timeout / 3, signal);
    try {
      return await this.#cards.load(remote, credential, deadline);
    } finally {
      deadline.end();
    }
  }

  /** Credentials go to one origin only, and a call without them would be refused. */
  #mayUse(text: string, remote: Remote, credential: Credential): boolean {
    const destination = destinationOf(text, this.#optionsFor(remote).allowPrivate);
    if (destination.kind === 'bad') return false;
    return credential.kind !== 'header' || credential.origin === destination.url.origin;
  }

  async #exchange(
    address: string,
    init: RequestInit | undefined,
    remote: Remote,
    credential: Credential,
    deadline: CallDeadline,
  ): Promise<HttpOutcome> {
    const options = this.#optionsFor(remote);
    const destination = destinationOf(address, options.allowPrivate);
    if (destination.kind === 'bad') return { kind: 'not_sent', reason: destination.reason };
    const { url } = destination;
    const headers = {
      ...Object.fromEntries(new Headers(init?.headers)),
      ...authorization(credential, url),
    };
    const body = typeof init?.body === 'string' ? { body: init.body } : {};
    const request = { method: init?.method ?? 'GET', url, headers, ...body };
    return callHttp(request, remote.answerBytes, options, deadline);
  }

  #optionsFor(remote: Remote): CallsOptions {
    return { ...this.#options, allowPrivate: allowedFor(remote, this.#options.allowPrivate) };
  }
}

const ELSEWHERE = new Set([301, 302, 303, 307, 308, 404, 405, 410, -32601, -32009]);

/** The card may be out of date: the next call asks for it again. */
function isMisled(called: Called<unknown>): boolean {
  if (called.kind === 'not_sent') return true;
  return called.kind === 'error' && ELSEWHERE.has(called.failure.code);
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}
