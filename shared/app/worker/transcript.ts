import { FORMATS } from '../../domain/format.ts';
import type { Step } from '../../domain/step.ts';
import { beginEffect, step as stepped } from '../../domain/waiting.ts';
import { Unreadable } from '../../ports/faults.ts';
import { type Agent, limitsOf } from '../agents.ts';
import type { App } from '../app.ts';
import type { Nothing, Outcome, Write } from '../change/run-change.ts';
import { delegate } from '../delegation/delegate.ts';
import type { Lease } from '../segment/lease.ts';
import { readSignal, signalsFrom } from '../signals/read-signals.ts';
import type { FilesChange, SegmentFiles } from '../segment/segment-files.ts';
import type { SegmentProgress } from '../segment/segment-progress.ts';
import { stepDoc } from '../records/work-documents.ts';
import { workKeyOf } from '../content/work-key.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { SegmentOver } from '../segments.ts';
import type { Transcript } from '../transcript.ts';
import type { ShownArtifacts } from './shown-artifacts.ts';
import { unsealStep } from '../content/step-content.ts';
import { wholeArtifact } from '../../domain/item.ts';

/** Steps that are read at once. */
const PAGE = 50;

/** What else a segment has. */
interface Around {
  readonly delegates: boolean;
  readonly files: SegmentFiles | undefined;
  readonly gathered: Pick<SegmentProgress, 'carry'>;
  readonly shown: Pick<ShownArtifacts, 'take'>;
}

/** The transcript of the run that this segment holds. */
export function createTranscript(
  app: App,
  lease: Lease,
  agent: Agent,
  { delegates, files, gathered, shown: all }: Around,
): Transcript {
  const { token } = lease.claimed;
  const limits = limitsOf(app.settings, agent);
  const began = app.clock.now();
  const until = (now: number): number => now + app.settings.lease;
  const still = (): void => {
    if (lease.signal.aborted) throw new SegmentOver(lease.signal.reason);
  };
  const held = (outcome: Outcome): void => {
    if (outcome.kind === 'unchanged') throw new SegmentOver(lease.signal.reason ?? 'lost');
  };

  return {
    async load() {
      still();
      return loadSteps(app, lease);
    },

    async append(given, { artifacts = [], spend = {}, told = [] } = {}) {
      still();
      const steps: readonly Step[] = 'kind' in given ? [given] : given;
      for (const artifact of artifacts) all.take(artifact);
      // A call whose result is committed is not made again, so what it showed goes with it; and
      // what was shown before a step is not shown after it.
      const published = await gathered.carry(async (shown) => {
        still();
        const items = [...shown, ...artifacts.map(wholeArtifact)];
        const publishes = items.length > 0;
        const { fence } = lease.claimed.run;
        const number = lease.run.steps + 1;
        const effects = { number, count: steps.length, spend, publishes, done: doneBy(steps) };
        const change: FilesChange<{ readonly writes: readonly Write[] }, Nothing> = {
          ...(publishes && { publish: { items } }),
          seal: async (keys) => ({
            writes: await Promise.all(
              steps.map((step, at) => {
                const more = told[at];
                return prepareStep(app, keys, number + at, {
                  step,
                  fence,
                  ...(more && { told: more }),
                });
              }),
            ),
          }),
          decide: (run, now) => stepped(run, token, until(now), effects, now),
          write(tx, next, { writes }) {
            for (const write of writes) write(tx, next);
          },
        };
        // A tool whose result is committed is not run again, so what it wrote is committed with it.
        const outcome = await (files !== undefined && steps.some(({ kind }) => kind === 'result')
          ? files.commit('kept', change)
          : lease.commit(change));
        held(outcome);
        return publishes;
      });
      if (published) lease.projectSoon(0);
    },

    async begin(callId) {
      still();
      held(
        await lease.commit({
          decide: (run, now) => beginEffect(run, token, until(now), callId),
        }),
      );
    },

    async delegate(order) {
      still();
      return delegate(app, lease, order, limits);
    },

    async signals(from) {
      still();
      return signalsFrom(app, lease.run.taskId, from);
    },

    async signal(number) {
      still();
      return readSignal(app, lease.run, number);
    },

    async publicDigest(digest) {
      still();
      const { key: workKey } = await workKeyOf(app, lease.run);
      return workKey.keys.mac('held turns', digest).toString('hex');
    },

    maySumUp: () => maySumUp(app, agent),

    get spent() {
      return lease.run.spent;
    },
    limits,
    delegates,
    get continuation() {
      return lease.run.continuation;
    },
    get timeLeft() {
      return began + app.settings.segment - app.clock.now();
    },
  };
}

/** The calls that have a result with these steps; all when one of them is a new turn. */
function doneBy(steps: readonly Step[]): readonly string[] | 'all' {
  if (steps.some(({ kind }) => kind === 'turn')) return 'all';
  return steps.flatMap((step) => (step.kind === 'result' ? [step.callId] : []));
}

/** Throws Unreadable when a step is missing or can't be opened. */
export async function loadSteps(app: App, { run }: Pick<Lease, 'run'>): Promise<readonly Step[]> {
  if (run.steps === 0) return [];
  const { key: workKey } = await workKeyOf(app, run);
  const steps: Step[] = [];
  for (let from = 1; from <= run.steps; from += PAGE) {
    const count = Math.min(PAGE, run.steps - from + 1);
    const docs = Array.from({ length: count }, (_, at) => stepDoc(run.taskId, from + at));
    for (const doc of await app.store.getAll(docs)) {
      if (doc === undefined) throw new Unreadable(`steps of ${run.taskId}`);
      steps.push(await unsealStep(app, workKey, doc));
    }
  }
  return steps;
}

/** Consumers first: no other function could read the run any more. */
async function maySumUp({ format, log }: App, agent: Agent): Promise<boolean> {
  if (format === undefined || (await format.allows(FORMATS.summaries))) return true;
  const why = `summaries may not be written yet (format ${FORMATS.summaries}): when every function is of this release, npm run operate -- raise-format`;
  log.write('warning', 'transcript not summed up', { agent: agent.name, why });
  return false;
}
