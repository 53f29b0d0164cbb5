import type { AgentCard } from '@a2a-js/sdk';
import type { Millis } from '../domain/brand.ts';
import type { Remote } from '../domain/remote.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallFailure } from '../ports/remote-agents.ts';
import { allowedFor } from '../outgoing/address-guard.ts';
import type { CallDeadline } from '../outgoing/call-deadline.ts';
import { judge } from './called.ts';
import type { ConnectOptions } from '../outgoing/connect.ts';
import { authorization, type Credential } from './credential.ts';
import { destinationOf } from '../outgoing/destination.ts';
import { NOT_SIGNED } from './configuration-fault.ts';
import { callHttp } from '../outgoing/call-http.ts';
import { cardFromJson, signedCardFromJson } from './sdk-client.ts';

const FRESH: Millis = 5 * 60 * 1_000;
const CARD_BYTES = 1024 * 1024;

export type LoadedCard =
  | { readonly kind: 'card'; readonly card: AgentCard }
  | { readonly kind: 'none'; readonly failure: CallFailure };

const none = (failure: CallFailure): LoadedCard => ({ kind: 'none', failure });

/** The cards of declared remotes, each kept for a few minutes. */
export class Cards {
  readonly #options: ConnectOptions & { readonly clock: Pick<Clock, 'now'> };
  readonly #kept = new Map<string, { readonly card: AgentCard; readonly until: Millis }>();

  constructor(options: ConnectOptions & { readonly clock: Pick<Clock, 'now'> }) {
    this.#options = options;
  }

  async load(remote: Remote, credential: Credential, deadline: CallDeadline): Promise<LoadedCard> {
    const kept = this.#kept.get(keyOf(remote));
    if (kept !== undefined && kept.until > this.#options.clock.now()) {
      return { kind: 'card', card: kept.card };
    }
    const loaded = await this.#fetch(remote, credential, deadline);
    if (loaded.kind === 'card') {
      const until = this.#options.clock.now() + FRESH;
      this.#kept.set(keyOf(remote), { card: loaded.card, until });
    }
    return loaded;
  }

  /** The remote is not as its card says. */
  forget(remote: Remote): void {
    this.#kept.delete(keyOf(remote));
  }

  async #fetch(
    remote: Remote,
    credential: Credential,
    deadline: CallDeadline,
  ): Promise<LoadedCard> {
    const allowPrivate = allowedFor(remote, this.#options.allowPrivate);
    const destination = destinationOf(remote.card, allowPrivate);
    if (destination.kind === 'bad') return none({ reason: destination.reason });
    const { url } = destination;
    const headers = {
      accept: 'application/json',
      'a2a-version': '1.0',
      ...authorization(credential, url),
    };
    const request = { method: 'GET', url, headers };
    const answered = await callHttp(
      request,
      CARD_BYTES,
      { ...this.#options, allowPrivate },
      deadline,
    );
    const judged = judge(answered, this.#options.clock.now());
    if (judged.kind === 'not_sent') return none(judged.failure);
    if (judged.kind !== 'readable') {
      return none({ ...judged.failure, reason: `card: ${judged.failure.reason}` });
    }
    try {
      const raw: unknown = JSON.parse(judged.text);
      if (remote.signedBy === undefined) return { kind: 'card', card: cardFromJson(raw) };
      const card = signedCardFromJson(raw, remote.signedBy);
      return card === undefined ? none({ reason: NOT_SIGNED }) : { kind: 'card', card };
    } catch {
      return none({ reason: 'card: malformed' });
    }
  }
}

/** Another credential may be shown another card; under another pin it is not the same one. */
function keyOf({ card, credential, signedBy }: Remote): string {
  return JSON.stringify([card, credential, signedBy]);
}
