import type { Ids } from '../../shared/ports/ids.ts';

/**
 * What can go wrong at a call: it fails before or after it happened, or happens only later; the
 * process dies before or after it; its service is not to be reached for longer than a transaction
 * or even a lease lasts.
 */
export const FAULTS = [
  'fail-before',
  'fail-after',
  'fail-late',
  'crash-before',
  'crash-after',
  'outage',
] as const;
export type FaultKind = (typeof FAULTS)[number];

export type PortName =
  | 'backend.read'
  | 'backend.commit'
  | 'backend.query'
  | 'backend.count'
  | 'backend.follow'
  | 'backend.watch'
  | 'blobs.get'
  | 'blobs.getStream'
  | 'blobs.put'
  | 'blobs.putStream'
  | 'workspaces.open'
  | 'workspaces.save'
  | 'workspaces.look'
  | 'workspaces.history'
  | 'workspaces.read'
  | 'workspaces.merge'
  | 'workspaces.prune'
  | 'workspaces.archive'
  | 'workspaces.publish'
  | 'workspaces.discard'
  | 'workspaces.sweep'
  | 'workspaces.remove'
  | 'queue.enqueue'
  | 'sealer.newKey'
  | 'sealer.unwrap'
  | 'remote.send'
  | 'remote.look'
  | 'remote.find'
  | 'remote.cancel'
  | 'remote.effect'
  | 'webhook.post'
  | 'grants.allows';

/** Which call meets which fault: the n-th of a run, 1 for the first. */
export type FaultPlan = ReadonlyMap<number, FaultKind>;

/** `crash-after@37,fail-before@50`; empty for none. */
export function faultsToText(plan: FaultPlan): string {
  return [...plan].map(([call, kind]) => `${kind}@${call}`).join(',');
}

export function faultsFromText(text: string): FaultPlan {
  const plan = new Map<number, FaultKind>();
  for (const each of text.split(',').filter((part) => part !== '')) {
    const [name, call] = each.split('@');
    const kind = FAULTS.find((known) => known === name);
    if (kind === undefined || !(Number(call) > 0)) throw new TypeError(`no fault: ${each}`);
    plan.set(Number(call), kind);
  }
  return plan;
}

/** A few faults somewhere in the first `span` calls. */
export function randomFaults(chance: Ids, most: number, span: number): FaultPlan {
  const count = Math.floor(chance.random() * (most + 1));
  const plan = new Map<number, FaultKind>();
  for (let n = 0; n < count; n += 1) {
    const kind = FAULTS[Math.floor(chance.random() * FAULTS.length)] ?? 'fail-before';
    // More of them early on, where most of the work is done.
    plan.set(1 + Math.floor(chance.random() ** 2 * span), kind);
  }
  return plan;
}
