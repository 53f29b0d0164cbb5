import type { App } from '../shared/app/app.ts';
import { inbox } from '../shared/app/operators/inbox.ts';
import { rightsOf } from '../shared/app/operators/operator-rights.ts';
import { obligations } from '../shared/domain/obligations.ts';
import type { Part } from '../shared/domain/message.ts';
import { isRefused } from '../shared/domain/refusal.ts';
import { isBlocked, isEnded, type Run, waitsForPerson } from '../shared/domain/run.ts';
import { type Effect, repeatedIn } from './effects.ts';
import type { Host } from './host.ts';
import type { MemoryBackend } from './memory-backend.ts';
import { allRuns } from './rows.ts';

/** What a run said it ended with. */
export interface Completed {
  readonly words: readonly Part[];
  readonly artifactIds: ReadonlySet<string>;
}

export interface Looked {
  readonly host: Pick<Host, 'app' | 'service'>;
  readonly backend: MemoryBackend;
  readonly effects: readonly Effect[];
  readonly completed: ReadonlyMap<string, Completed>;
}

/** Everything that does not hold in a world, in words; empty if all does. */
export async function problemsOf(looked: Looked): Promise<readonly string[]> {
  const { backend, effects, host } = looked;
  const runs = allRuns(backend);
  const waiting = await waitingOf(host.app);
  const results = await Promise.all(runs.map((run) => missingResult(looked, run)));
  return [
    ...results.flat(),
    ...twice(effects),
    ...runs.flatMap((run) => forgotten(host.app, run, waiting)),
  ];
}

/** A task that says COMPLETED has its result: the words and artifacts that its agent ended with. */
async function missingResult({ completed, host }: Looked, run: Run): Promise<readonly string[]> {
  const wanted = completed.get(run.taskId);
  if (run.status !== 'completed' || wanted === undefined) return [];
  const { agent, owner, taskId, tenant } = run;
  const principal = { agent, tenant, owner, authenticated: owner !== '' };
  const task = await host.service.get(principal, taskId);
  const named = `the task ${taskId} of ${agent}`;
  if (isRefused(task)) return [`${named} is completed, and can't be read: ${task.message}`];
  if (task.status.state !== 'COMPLETED')
    return [`${named} is completed, and its caller sees ${task.status.state}`];
  const shown = task.artifacts.map(({ artifactId }) => artifactId);
  const missing = [...wanted.artifactIds].filter((id) => !shown.includes(id));
  const wordless = wanted.words.length > 0 && task.status.message === undefined;
  return [
    ...missing.map((id) => `${named} is completed without its artifact ${id}`),
    ...(wordless ? [`${named} is completed without its last message`] : []),
  ];
}

/** What must not run twice did not. */
function twice(effects: readonly Effect[]): readonly string[] {
  return repeatedIn(effects)
    .filter(({ effect }) => effect === 'once')
    .map(
      ({ agent, kind, name, taskId, times }) =>
        `the ${kind} ${name} of ${agent} ran ${times} times for one call, and must not (task ${taskId})`,
    );
}

/** An open run waits for a person who can see it, or something will be done about it. */
function forgotten(app: App, run: Run, waiting: ReadonlySet<string>): readonly string[] {
  if (isEnded(run) || run.status === 'purging') return [];
  const named = `the task ${run.taskId} of ${run.agent} is ${run.status}`;
  if (waitsForPerson(run) || isBlocked(run))
    return waiting.has(run.taskId) ? [] : [`${named}, and is in no operator's inbox`];
  const due = obligations(run).map(({ at }) => at);
  if (due.length === 0) return [`${named}, and nothing is due for it`];
  const { repeatAfter, sweepGrace, sweepInterval } = app.settings;
  const late = app.clock.now() - Math.min(...due);
  const most = repeatAfter + sweepGrace + 2 * sweepInterval;
  return late > most ? [`${named}, and what is due was not done for ${late} ms`] : [];
}

const MOST = 1_000;

async function waitingOf(app: App): Promise<ReadonlySet<string>> {
  const { blocked, decisions, sends } = await inbox(app, rightsOf(app, 'operator'), MOST);
  return new Set([
    ...[...decisions, ...sends].map(({ run: { taskId } }) => taskId),
    ...blocked.map(({ taskId }) => taskId),
  ]);
}
