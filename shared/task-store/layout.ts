import { compositeKey } from '../domain/digest.ts';
import { Fault } from '../ports/faults.ts';
import { segmentOf } from './segment.ts';

/**
 * What the stores look at of the SDK's ServerCallContext. Its class is not named, because a server
 * may have a copy of the SDK of its own, and to TypeScript two copies of a class are two types.
 */
export interface CallContext {
  readonly tenant: string | undefined;
  readonly user: { readonly isAuthenticated: boolean; readonly userName: string } | undefined;
  /** The A2A version of the call. */
  readonly requestedVersion: string;
}

export interface LayoutOptions {
  /**
   * Whose tasks a call is about, as for the SDK's own stores. Default: the user's name, or '' for a
   * caller without one; an authenticated user without a name is a fault (NoOwner).
   */
  ownerResolver?(context: CallContext): string;
  /**
   * Before every name: empty, or segments of letters, digits and `_~@=+-` that each end in `/`; 100
   * characters at most. Two servers that share a bucket need two prefixes.
   */
  readonly prefix?: string;
}

/** Where the objects of one task are. */
export interface TaskPlace {
  readonly taskId: string;
  readonly contextId: string;
  /** The pointer: holds the context's id. */
  readonly pointer: string;
  /** The standard A2A Task as JSON. */
  readonly task: string;
  /** Everything of the task beside the pointer, `task.json` among it. */
  readonly folder: string;
  readonly scope: Scope;
}

/** The objects of one owner in one tenant. No object of another is reached through it (G23). */
export interface Scope {
  readonly prefix: string;
}

/** The scope that a call is about. */
export type ScopeOf = (context: CallContext) => Scope;

const PREFIX = /^(?:[A-Za-z0-9_~@=+-]+\/)*$/;
const LONGEST_PREFIX = 100;

/**
 * Throws BadPrefix. Callers without a name and tenant are at the root of the prefix, which is the
 * whole layout of a server without authentication; each other pair of tenant and owner has a folder
 * named by the hash of both, so that neither shows in a name.
 */
export function scopesOf(options: LayoutOptions): ScopeOf {
  const { prefix = '' } = options;
  if (!PREFIX.test(prefix) || prefix.length > LONGEST_PREFIX) {
    throw new Fault('BadPrefix', 'stop', `not a prefix of object names: ${prefix}`);
  }
  return (context) => {
    const tenant = context.tenant ?? '';
    const owner = options.ownerResolver?.(context) ?? nameOfUser(context);
    if (tenant === '' && owner === '') return { prefix };
    return { prefix: `${prefix}scopes/${compositeKey('task-store', tenant, owner)}/` };
  };
}

function nameOfUser({ user }: CallContext): string {
  if (user === undefined) return '';
  // One without a name would be taken for a caller without authentication.
  if (user.isAuthenticated && user.userName === '') {
    throw new Fault('NoOwner', 'stop', 'an authenticated user needs a userName');
  }
  return user.userName;
}

/** Undefined where an id is none that a segment can be made of: no such task can be there. */
export function placeOf(scope: Scope, taskId: string, contextId: string): TaskPlace | undefined {
  const tasks = taskFolder(scope, taskId);
  const context = contextFolder(scope, contextId);
  if (tasks === undefined || context === undefined) return undefined;
  const folder = `${context}${segmentOf(taskId)}/`;
  const pointer = `${tasks}contextId.txt`;
  return { taskId, contextId, pointer, task: `${folder}task.json`, folder, scope };
}

/** What is known of a task by its id alone: the pointer, and the push configurations. */
export function taskFolder(scope: Scope, taskId: string): string | undefined {
  const segment = segmentOf(taskId);
  return segment === undefined ? undefined : `${scope.prefix}tasks/${segment}/`;
}

/** Where the push configurations of a task are. */
export function pushFolder(scope: Scope, taskId: string): string | undefined {
  const folder = taskFolder(scope, taskId);
  return folder === undefined ? undefined : `${folder}push/`;
}

export function contextFolder(scope: Scope, contextId: string): string | undefined {
  const segment = segmentOf(contextId);
  return segment === undefined ? undefined : `${contextsFolder(scope)}${segment}/`;
}

export function contextsFolder(scope: Scope): string {
  return `${scope.prefix}contexts/`;
}

/** Names the task of the context that was taken last. */
export function activeName({ folder }: TaskPlace): string {
  return `${folder.slice(0, folder.lastIndexOf('/', folder.length - 2))}/active.json`;
}

export function isTaskName(scope: Scope, name: string): boolean {
  const folder = contextsFolder(scope);
  const [, , file, ...more] = name.slice(folder.length).split('/');
  return name.startsWith(folder) && file === 'task.json' && more.length === 0;
}
