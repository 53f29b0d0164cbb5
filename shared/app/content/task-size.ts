import type { Part } from '../../domain/message.ts';
import type { Task } from '../../domain/task.ts';

/** About how many bytes a task takes in an answer: its content, as JSON. */
export function taskSize({ status, history, artifacts }: Task): number {
  const said = status.message === undefined ? history : [...history, status.message];
  const parts = [...said, ...artifacts].flatMap((each) => each.parts);
  return parts.reduce((sum, part) => sum + partSize(part), 0);
}

/** About how many bytes a part takes in an answer, as JSON. */
export function partSize(part: Part): number {
  if ('text' in part) return part.text.length;
  // Base64.
  if ('raw' in part) return Math.ceil(part.raw.byteLength / 3) * 4;
  return JSON.stringify('data' in part ? part.data : part.url).length;
}
