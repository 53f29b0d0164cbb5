import type { Principal } from '../domain/ids.ts';
import type { Traceparent } from '../domain/trace-context.ts';
import type { BodyAccount } from '../http/body-budget.ts';
import type { Identity } from '../ports/access.ts';
import type { CardAround } from './card.ts';
import type { Version } from './version.ts';

/** What a card says besides what its agent says of itself. */
export interface CardPlace {
  readonly around: CardAround;
  readonly versions: readonly Version[];
}

/** What an operation knows of the request that asks for it, by whatever binding that came. */
export interface RequestContext {
  readonly principal: Principal;
  readonly identity: Identity;
  readonly version: Version;
  /** URIs of the extensions in effect. */
  extensions: readonly string[];
  /** Nothing waits for the answer. */
  readonly notification: boolean;
  /** Aborts when the answer is over, or its client gone. */
  readonly gone: AbortSignal;
  /** What the request takes of what the process may hold. */
  readonly body: BodyAccount;
  /** The span of the request, if it is traced. */
  readonly trace: Traceparent | undefined;
  /** What a card says of the deployment, as this request reaches it. */
  cardAround(): CardPlace;
  /** A header of the request, or an entry of its metadata, by its name in lower case. */
  header(name: string): string | undefined;
  /** Adds a header to the answer, unless that has begun. */
  echo(name: string, value: string): void;
}
