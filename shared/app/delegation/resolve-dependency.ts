import type { Json } from '../../domain/json.ts';
import { withOrphan } from '../../domain/dependency.ts';
import type { Resolution, SendState } from '../../domain/remote.ts';
import type { Run, WaitingForDependency } from '../../domain/run.ts';
import { toldOfRemote } from '../../domain/step-facts.ts';
import { resolve, waitsForSend } from '../../domain/waiting.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import type { Outcome } from '../change/run-change.ts';
import { unsealCheckpoint } from '../content/checkpoint.ts';
import { pauseDoc, sendDoc } from '../records/work-documents.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { sendWithOutcome } from './sends.ts';
import { wakeUp } from '../wake-up.ts';

/** How the wait for a remote agent ends. */
export interface DependencyResult {
  readonly resolution: Resolution;
  /** What the model sees as the result of its call. */
  readonly value: Json;
  /** Size of the remote's answer; counts against the run's budget (G16). */
  readonly bytes?: number;
  /** The run does not wait for the remote task any more: it is cancelled. */
  readonly cancel?: true;
  /** What this means for the send, when its outcome was not known. */
  readonly send?: Extract<SendState, 'abandoned' | 'acknowledged' | 'refused' | 'not_sent'>;
  /** Why, in a word. */
  readonly reason?: string;
  /** Only of a run that waits for this send, and knows of no task that came of it. */
  readonly only?: string;
  /** The operator who gave up on the send. */
  readonly abandonedBy?: string;
}

/**
 * waiting_for_dependency -> queued, once (G11): the result of the suspended call becomes the next
 * step of the transcript in the commit that queues the run, so the call is answered, and can't be
 * made again. A second resolver finds the run elsewhere and changes nothing.
 */
export async function resolveDependency(
  app: App,
  run: WaitingForDependency,
  result: DependencyResult,
): Promise<Outcome> {
  const generation = run.pauseGeneration;
  const pause = await app.store.get(pauseDoc(run.taskId, generation));
  const { sendId } = run.dependency;
  const sent = sendDoc(run.taskId, sendId);
  if (pause === undefined) throw new Unreadable(`checkpoint of ${run.taskId}`);
  const { abandonedBy, cancel, only, resolution } = result;
  const outcome = await changeRun(app, run, {
    async seal(keys) {
      const { callId } = await unsealCheckpoint(app, keys.workKey, pause);
      if (callId === null) throw new Unreadable(`checkpoint of ${run.taskId}`);
      const status = resolution === 'completed' ? 'ok' : 'error';
      const step = { kind: 'result', callId, status, value: result.value } as const;
      const told = toldOfRemote(run.dependency.remote, run.pausedAt);
      return {
        // While it waits, nothing else makes a step.
        writeStep: await prepareStep(app, keys, run.steps + 1, { step, fence: run.fence, told }),
      };
    },
    read: async (tx) => ({ send: result.send && (await tx.get(sent)) }),
    ...(abandonedBy && { act: { kind: 'abandon', sendId, operator: abandonedBy } }),
    decide(current, now): Run | undefined {
      const next = resolve(current, generation, result.bytes ?? 0, now);
      if (next === undefined || current.status !== 'waiting_for_dependency') return undefined;
      if (only !== undefined && !waitsForSend(current, only)) return undefined;
      const left = cancel === true ? withOrphan(current, current.dependency, now) : {};
      return { ...next, ...left };
    },
    write(tx, next, { send, writeStep }) {
      writeStep(tx, next);
      const resolvedAt = app.clock.now();
      tx.set(pauseDoc(run.taskId, generation), { ...pause, resolution, resolvedAt });
      if (result.send !== undefined && send !== undefined)
        tx.set(sent, sendWithOutcome(app, send, result.send, result.reason ?? null));
    },
  });
  if (outcome.kind === 'changed') {
    app.log.write('info', 'dependency resolved', {
      task: run.taskId,
      generation,
      resolution: result.resolution,
    });
    await wakeUp(app, outcome.run, ['run', 'cancel-remote']);
  }
  return outcome;
}
