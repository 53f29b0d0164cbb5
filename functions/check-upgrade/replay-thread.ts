// The thread in which agents' code is compared with what is recorded: code that never comes back
// ends with it, and what it prints is no part of the answer.
import { parentPort, workerData } from 'node:worker_threads';
import { authorLine } from '../../shared/agent/steps/author-line.ts';
import { judge } from '../../shared/app/upgrade/judge.ts';
import type { Task } from '../../shared/domain/task.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { loadAgents } from '../load-agents.ts';
import { BadConfiguration } from '../settings.ts';
import type { FromThread, ReplayData, ToThread } from './messages.ts';

// Structured clones of our own, by the same release.
const given = workerData as ReplayData;
const tell = (message: FromThread): void => parentPort?.postMessage(message);
let answer: ((tasks: readonly Task[]) => void) | undefined;

try {
  const agents = await loadAgents(given.agents);
  const { folder, installation, settings } = given;
  const judging = {
    agents,
    folder,
    installation,
    settings,
    lineOf: authorLine,
    now: () => systemClock.now(),
    earlierTasks: () =>
      new Promise<readonly Task[]>((resolve) => {
        answer = resolve;
        tell({ kind: 'earlier tasks' });
      }),
  };
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'earlier tasks') answer?.(message.tasks);
    else void judge(message.record, judging).then((verdict) => tell({ kind: 'verdict', verdict }));
  });
  tell({ kind: 'loaded', agents: agents.all.map(({ name }) => name) });
} catch (error) {
  if (!(error instanceof BadConfiguration)) throw error;
  tell({ kind: 'not loaded', why: error.message });
}
