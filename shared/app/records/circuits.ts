import { z } from 'zod';
import { facetOf } from '../../domain/blocked.ts';
import { failedAgain, letThrough, openedFor } from '../../domain/circuit.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Doc, Store } from '../../ports/store.ts';
import type { Called, Circuits } from '../circuits.ts';
import { faultName } from '../wake-up.ts';
import { codec } from './documents.ts';
import { knownDocument } from './known-document.ts';

const circuit = z.object({
  remote: z.string(),
  openedAt: z.number(),
  openUntil: z.number(),
  faults: z.number(),
  reason: z.string(),
  probes: z.number(),
});
const remotesSchema = z.object({
  v: z.literal(1),
  /** By name and card of the remote. */
  open: z.record(z.string(), circuit),
});
type RemotesDoc = z.infer<typeof remotesSchema>;

export const remotesDoc: Doc<RemotesDoc> = {
  path: 'installation/remotes',
  codec: codec<RemotesDoc>(remotesSchema),
};

/** A call that was let through has an outcome by then, or its process is gone. */
const outcomeBy = (remoteCall: Millis): Millis => Math.ceil(remoteCall * 1.25);
/** What became of a call waits no longer than this for what is thought of the remote. */
const NOTING: Millis = 2_000;

interface Parts {
  readonly clock: Clock;
  readonly store: Store;
  readonly log: Log;
  readonly settings: Pick<
    Settings,
    'circuitFaults' | 'circuitRest' | 'circuitRestMax' | 'remoteCall'
  >;
}

/** Names of remotes are those of tools; the card tells two of one name apart. */
const keyOf = ({ card, name }: Called): string => `${name} ${facetOf(card)}`;

/**
 * Faults in a row are counted in the process that sees them; that a circuit opened is a fact of the
 * store, so that other processes leave the remote alone, too. A remote that answers costs no write,
 * and a read in some seconds.
 */
export function createCircuits(parts: Parts): Circuits {
  const { clock, log, settings } = parts;
  const known = knownDocument<RemotesDoc>(parts, remotesDoc, { v: 1, open: {} });
  const rests = { first: settings.circuitRest, most: settings.circuitRestMax };
  const inARow = new Map<string, number>();
  /** Of which a call was let through here. */
  const probed = new Set<string>();

  async function fault(called: Called, reason: string): Promise<void> {
    const key = keyOf(called);
    const faults = (inARow.get(key) ?? 0) + 1;
    inARow.set(key, faults);
    const isOpen = (await known.lately()).open[key] !== undefined;
    if (!isOpen && faults < settings.circuitFaults) return;
    const remote = called.name;
    const { openUntil } = await known.change((present) => {
      const before = present.open[key];
      const now = clock.now();
      const answer =
        before === undefined
          ? openedFor({ faults, reason, remote }, rests, now)
          : failedAgain(before, reason, rests, now);
      return { answer, next: { v: 1, open: { ...present.open, [key]: answer } } };
    }, NOTING);
    log.write('warning', 'circuit open', { remote, faults, reason, openUntil });
  }

  async function answered(called: Called): Promise<void> {
    const key = keyOf(called);
    inARow.delete(key);
    if (!probed.delete(key)) return;
    const closed = await known.change((present) => {
      if (present.open[key] === undefined) return { answer: false };
      const others = Object.entries(present.open).filter(([each]) => each !== key);
      return { answer: true, next: { v: 1, open: Object.fromEntries(others) } };
    }, NOTING);
    if (closed) log.write('info', 'circuit closed', { remote: called.name });
  }

  return {
    async open() {
      return Object.values((await known.now()).open);
    },
    async restOf(called) {
      const key = keyOf(called);
      if (settings.circuitFaults === 0) return undefined;
      if ((await known.lately()).open[key] === undefined) return undefined;
      const until = await known.change<Millis | undefined>((present) => {
        const before = present.open[key];
        if (before === undefined) return { answer: before };
        const through = letThrough(before, outcomeBy(settings.remoteCall), clock.now());
        if (through === undefined) return { answer: before.openUntil };
        const answer = undefined;
        return { answer, next: { v: 1, open: { ...present.open, [key]: through } } };
      });
      if (until === undefined) probed.add(key);
      return until;
    },
    async note(called, reason) {
      if (settings.circuitFaults === 0) return;
      try {
        await (reason === undefined ? answered(called) : fault(called, reason));
      } catch (error) {
        // What became of the call counts, not what is thought of the remote.
        log.write('warning', 'circuit not noted', {
          remote: called.name,
          fault: faultName(error),
        });
      }
    },
    async reset(name, note) {
      for (const key of inARow.keys()) if (key.startsWith(`${name} `)) inARow.delete(key);
      return known.change((present) => {
        const rest = Object.entries(present.open).filter(([, { remote }]) => remote !== name);
        const answer = Object.keys(present.open).length - rest.length;
        return answer === 0
          ? { answer }
          : { answer, next: { v: 1, open: Object.fromEntries(rest) }, note };
      });
    },
  };
}
