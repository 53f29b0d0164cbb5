import { isEnded } from '../../../shared/domain/run.ts';
import type { World } from '../world.ts';
import type { Work } from './work.ts';

/** States in which no remote is said to have the message. */
const UNSETTLED = ['outcome_unknown', 'superseded', 'abandoned'];

/**
 * What the journal says of a send is so: one that was acknowledged started one task, one that was
 * refused or did not leave started none; of any other it can't be told, and the journal says that
 * (G15). Only a run that was ended over it leaves one open.
 */
export function delegationsHaveTheirTask({ run, sends }: Work, world: World): string | undefined {
  for (const { doc } of sends) {
    const { messageId, state } = doc;
    const taken = world.outside.received.filter(
      (message) => message.messageId === messageId && !message.refused,
    ).length;
    const open = state === 'prepared';
    // What an operator had sent again, and did not live to see answered, is no reason for the run
    // to wait longer.
    if (open && doc.replaces === null && !(isEnded(run) && run.status !== 'completed'))
      return `${messageId} of ${run.taskId}, which is ${run.status}, is still prepared`;
    const wanted = state === 'acknowledged' ? 1 : 0;
    if (!open && !UNSETTLED.includes(state) && taken !== wanted)
      return `${messageId} is ${state} and was taken ${taken} times`;
  }
  return undefined;
}

/**
 * CancelTask that was begun left, unless its process died over it or it provably got nowhere (G17).
 */
export function leftTasksWereCancelled({ sends }: Work, world: World): string | undefined {
  for (const { doc } of sends) {
    if (doc.cancelledAt === null) continue;
    const [task] = world.outside.received.flatMap(({ messageId, taskId }) =>
      messageId === doc.messageId && taskId !== undefined ? [taskId] : [],
    );
    const told = world.outside.cancels.filter((taskId) => taskId === task).length;
    const excused = world.options.plan.size > 0 && !/^[A-Z]/.test(doc.cancelled ?? '');
    if (told !== 1 && !excused)
      return `the task of ${doc.messageId} was cancelled ${told} times (${doc.cancelled})`;
  }
  return undefined;
}
