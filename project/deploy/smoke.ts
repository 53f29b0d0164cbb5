import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** The deployment does not do what it should; the message says what it did. */
export class SmokeFailed extends Error {}

export interface Target {
  readonly url: string;
  /** When everything has to be over. */
  readonly deadline: AbortSignal;
  readonly token: string | undefined;
}

const cardSchema = z.object({
  name: z.string(),
  supportedInterfaces: z.array(z.object({ url: z.string().min(1) })).min(1),
});
const taskSchema = z.object({ id: z.string(), status: z.object({ state: z.string() }) });
const sentSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ message: z.object({ messageId: z.string() }) }),
]);
type Task = z.infer<typeof taskSchema>;

const PAUSE = 1_000;
/** What a new service and new permissions answer until they have arrived everywhere. */
const NOT_YET = [403, 404, 429, 500, 502, 503, 504];
const GOOD_ENDS = ['TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED'];
const ON_ITS_WAY = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'];

/** The name on the card, as soon as there is one. Throws SmokeFailed. */
export async function readCard(target: Target): Promise<string> {
  for (;;) {
    const response = await call(target, '/.well-known/agent-card.json', {}).catch(keepIfNetwork);
    if (response instanceof Response && response.ok) {
      return parsed(cardSchema, response, 'agent card').then(({ name }) => name);
    }
    const found =
      response instanceof Response ? `${target.url} answered ${response.status}` : response.message;
    const later = !(response instanceof Response) || NOT_YET.includes(response.status);
    if (!later) throw new SmokeFailed(`no agent card: ${found}`);
    await pause(target, `no agent card: ${found}`);
  }
}

/** What became of a message that is sent: in words. Throws SmokeFailed. */
export async function sendOne(target: Target, text: string): Promise<string> {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
  const body = JSON.stringify({ message });
  const response = await call(target, '/message:send', { method: 'POST', body });
  if (!response.ok) throw new SmokeFailed(`the message: answered ${response.status}`);
  const sent = await parsed(sentSchema, response, 'message');
  if ('message' in sent) return 'a message was answered by a message';
  return `a message was answered by the task ${sent.task.id}: ${await endOf(target, sent.task)}`;
}

async function endOf(target: Target, task: Task): Promise<string> {
  let { state } = task.status;
  while (ON_ITS_WAY.includes(state)) {
    await pause(target, `the task ${task.id} is still ${state}`);
    const response = await call(target, `/tasks/${task.id}`, {});
    if (!response.ok) throw new SmokeFailed(`the task ${task.id}: answered ${response.status}`);
    ({ state } = (await parsed(taskSchema, response, 'task')).status);
  }
  if (!GOOD_ENDS.includes(state)) throw new SmokeFailed(`the task ${task.id} is ${state}`);
  return state;
}

async function call({ url, token, deadline }: Target, path: string, init: RequestInit) {
  const headers = {
    'A2A-Version': '1.0',
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  try {
    return await fetch(`${url}${path}`, { ...init, headers, signal: deadline, redirect: 'error' });
  } catch (error) {
    if (deadline.aborted) throw new SmokeFailed(`${url}${path}: no answer in time`);
    throw new Unreachable(`${url}${path}: ${causeOf(error)}`);
  }
}

class Unreachable extends SmokeFailed {}

function keepIfNetwork(error: unknown): Unreachable {
  if (error instanceof Unreachable) return error;
  throw error;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

async function parsed<T>(schema: z.ZodType<T>, response: Response, what: string): Promise<T> {
  const body: unknown = await response.json().catch(() => undefined);
  const { success, data } = schema.safeParse(body);
  if (!success) throw new SmokeFailed(`the ${what} is none of A2A 1.0`);
  return data;
}

async function pause({ deadline }: Target, reason: string): Promise<void> {
  try {
    await sleep(PAUSE, undefined, { signal: deadline });
  } catch {
    throw new SmokeFailed(`${reason}, and the time is up`);
  }
}
