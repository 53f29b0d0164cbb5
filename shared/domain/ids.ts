import type { Brand } from './brand.ts';
import { compositeKey } from './digest.ts';

export type TaskId = Brand<string, 'TaskId'>;
export type ContextId = Brand<string, 'ContextId'>;
export type AgentName = Brand<string, 'AgentName'>;
/** Number of a public change of a run: 1, 2, 3 ... */
export type Revision = Brand<number, 'Revision'>;
/** Raised by each claim; only the newest may write (G12). */
export type Fence = Brand<number, 'Fence'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CONTEXT = /^[A-Za-z0-9._~:@=+-]{1,200}$/;
const AGENT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Task ids are made by the server, so anything but a lower-case UUID names no task (G21). */
export function taskId(value: string): TaskId | undefined {
  return UUID.test(value) ? (value as TaskId) : undefined;
}

/** In words, for the error of a refused context id. */
export const CONTEXT_ID_RULE =
  '1 to 200 characters of A-Z a-z 0-9 . _ ~ : @ = + -, other than "." and "..", and not of the form __name__';

/**
 * A context id may come from a client and becomes part of an object name, so it can hold no
 * separator, no control or direction character, no dot segment, and no name that Firestore reserves
 * (G21).
 */
export function contextId(value: string): ContextId | undefined {
  const reserved = value === '.' || value === '..' || /^__.*__$/.test(value);
  return CONTEXT.test(value) && !reserved ? (value as ContextId) : undefined;
}

/** An agent's name is a path segment: lower-case letters, digits and inner hyphens, 63 at most. */
export function agentName(value: string): AgentName | undefined {
  return AGENT.test(value) ? (value as AgentName) : undefined;
}

export const revision = (value: number): Revision => value as Revision;
export const fence = (value: number): Fence => value as Fence;

/** Whose task it is: every row carries these three, and every read is scoped by them (G23). */
export interface Principal {
  readonly agent: AgentName;
  /** From the interface's path or parameter; empty where the deployment has one tenant. */
  readonly tenant: string;
  /** The authenticated caller; empty without authentication. */
  readonly owner: string;
  /** False if this caller can't be told from another (G22). */
  readonly authenticated: boolean;
}

/** Two callers share a scope only if agent, tenant and owner are all equal. */
export type Scope = Brand<string, 'Scope'>;

/**
 * What a task is listed by: its scope, or one of several ranges of it. The first is the scope
 * itself.
 */
export function listedAs(scope: string, listShard: number): string {
  return listShard === 0 ? scope : `${scope}.${listShard}`;
}

/** The scope and the range that `listedAs` made one of. A scope holds no dot. */
export function listedIn(listed: string): { readonly scope: string; readonly listShard: number } {
  const [scope = '', shard = '0'] = listed.split('.', 2);
  return { scope, listShard: Number(shard) };
}

export function scopeOf(principal: Pick<Principal, 'agent' | 'tenant' | 'owner'>): Scope {
  return compositeKey('scope', principal.agent, principal.tenant, principal.owner) as Scope;
}
