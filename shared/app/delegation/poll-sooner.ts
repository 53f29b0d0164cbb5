import type { Millis } from '../../domain/brand.ts';
import { dependsIn, pollAgain } from '../../domain/waiting.ts';
import { knownRemote } from '../agents.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { runDoc } from '../records/documents.ts';
import { pushDoc } from '../records/work-documents.ts';
import { boundsOf } from './poll-schedule.ts';
import { pushId } from './push-of.ts';
import { wakeUp } from '../wake-up.ts';

/** A poll that is due within this span is soon enough. */
const SOON: Millis = 1_000;

/**
 * A remote says that its task changed. Nothing that it says is believed: its task is polled sooner,
 * and that is all. The row keeps the pace, so the task of a remote that pushes all the time is
 * polled every `pollMin`, not more often. The caller learns nothing.
 */
export async function pollSooner(app: App, token: string): Promise<void> {
  const push = await app.store.get(pushDoc(pushId(token)));
  const run = push && (await app.store.get(runDoc(push.taskId)));
  if (push === undefined || run?.status !== 'waiting_for_dependency') return;
  if (run.dependency.sendId !== push.messageId) return;
  const generation = run.pauseGeneration;
  const remote = knownRemote(app.agents, run, run.dependency.remote);
  const least = remote === undefined ? app.settings.pollMin : boundsOf(app.settings, remote).least;
  const outcome = await changeRun(app, run.taskId, {
    decide(current, now) {
      if (!dependsIn(current, generation)) return undefined;
      const { lookedAt, nextPollAt } = current.dependency;
      const sooner = lookedAt === undefined ? now : Math.max(now, lookedAt + least);
      if (sooner + SOON >= nextPollAt) return undefined;
      return pollAgain(current, generation, { nextPollAt: sooner });
    },
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['poll']);
}
