import type { Record } from '../record.ts';
import type { Tale } from './tale.ts';

/** A message makes one task, however often and through whichever process it is sent (G22). */
export function oneTaskPerMessage(tales: readonly Tale[], record: Record): string | undefined {
  const tasks = new Map<string, string>();
  for (const { tasks: told, run } of tales) {
    for (const { messageId, role } of told.at(-1)?.history ?? []) {
      if (role !== 'user') continue;
      const other = tasks.get(messageId);
      if (other !== undefined) return `${messageId} is in ${other} and in ${run.taskId}`;
      tasks.set(messageId, run.taskId);
    }
  }
  const refused = record.refused.find((messageId) => tasks.has(messageId));
  if (refused !== undefined) return `${refused} was refused and taken`;
  const wrong = record.taken.find(({ messageId, taskId }) => tasks.get(messageId) !== taskId);
  return wrong && `the sender of ${wrong.messageId} was told ${wrong.taskId}`;
}
