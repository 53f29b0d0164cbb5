import type { Caller, RequestDetails } from '../../domain/caller.ts';
import { type Run, waitsForPerson } from '../../domain/run.ts';
import type { Signal } from '../../domain/signal.ts';
import type { Step } from '../../domain/step.ts';
import { isFault, KeyMissing, Unreadable } from '../../ports/faults.ts';
import type { PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import { readPause } from '../content/read-pause.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { unsealInput } from '../content/segment-input.ts';
import { readSignal, signalsFrom } from '../signals/read-signals.ts';
import { faultName } from '../wake-up.ts';
import { loadSteps } from '../worker/transcript.ts';

/** All of a run that its agent is compared with. */
export interface RunRecord {
  readonly run: Run;
  readonly caller: Caller;
  readonly request: RequestDetails;
  readonly steps: readonly Step[];
  /** What it asks of a person, while it waits for one. */
  readonly asked?: PauseRequest;
  /** Every event that was delivered to it, taken or not. */
  readonly signals: readonly Signal[];
}

/**
 * What is recorded of an open run; in words why it can't be read. Opens what a worker would open
 * next, under the run's own key, and changes nothing.
 */
export async function readRecord(app: App, run: Run): Promise<RunRecord | string> {
  if (run.status === 'unknown') return 'a newer version wrote its status';
  try {
    const { beside = {} } = run.hasInput ? await unsealInput(app, await runKeyOf(app, run)) : {};
    const { claims, ...request } = beside;
    const { owner, tenant } = run;
    return {
      run,
      caller: { owner, tenant, authenticated: owner !== '', ...(claims && { claims }) },
      request,
      steps: await loadSteps(app, { run }),
      ...(waitsForPerson(run) && { asked: await readPause(app, run) }),
      signals: await signalsOf(app, run),
    };
  } catch (error) {
    if (error instanceof KeyMissing) return 'its key is not at hand';
    if (error instanceof Unreadable) return 'what is recorded of it can not be opened';
    if (!isFault(error)) throw error;
    return `what is recorded of it could not be read (${faultName(error)})`;
  }
}

async function signalsOf(app: App, run: Run): Promise<readonly Signal[]> {
  if (run.signals === undefined) return [];
  const { signals } = await signalsFrom(app, run.taskId, 1);
  return Promise.all(signals.map(({ number }) => readSignal(app, run, number)));
}
