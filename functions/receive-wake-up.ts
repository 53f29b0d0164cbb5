import { z } from 'zod';
import type { App } from '../shared/app/app.ts';
import { faultName, repeated } from '../shared/app/wake-up.ts';
import { taskId } from '../shared/domain/ids.ts';
import { traceparent } from '../shared/domain/trace-context.ts';
import type { CallerHeaders } from '../shared/ports/access.ts';
import type { VerifyCaller } from '../shared/access/verify-caller.ts';
import type { WakeUp, WakeUpHandler, WakeUpKind } from '../shared/ports/queue.ts';

const wakeUpSchema = z.object({
  kind: z.enum([
    'run',
    'check-lease',
    'deadline',
    'project',
    'purge',
    'poll',
    'dependency-deadline',
    'cancel-remote',
    'files',
    'trail',
    'push',
    'notice',
  ] satisfies WakeUpKind[]),
  taskId: z.string(),
  revision: z.number().int().min(0),
  at: z.number(),
  also: z.array(z.string()).max(100).exactOptional(),
  repeat: z.number().int().min(0).exactOptional(),
  webhook: z.string().max(200).exactOptional(),
  target: z.string().max(100).exactOptional(),
  // A broken traceparent is no reason to refuse a wake-up.
  trace: z.unknown().optional(),
});

/** The clocks of a queue and of an instance differ; a wake-up that is this early waits here. */
const SKEW = 10_000;

export interface Receiver {
  readonly name: string;
  readonly kinds: readonly WakeUpKind[];
  readonly app: Pick<App, 'clock' | 'queue' | 'log'>;
  readonly handle: WakeUpHandler;
  /** Absent if only the queue can reach the function. */
  readonly verify?: VerifyCaller;
}

export interface Received {
  readonly status: 200 | 401 | 403 | 503;
  readonly outcome: 'done' | 'again' | 'ignored' | 'early' | 'refused';
}

/**
 * One delivery of a queue. It is answered 2xx if another delivery could not help, also for a body
 * that is no wake-up; 503 only when our own infrastructure failed
 * (docs/architecture.md#wake-ups-and-obligations).
 */
export async function receiveWakeUp(
  receiver: Receiver,
  headers: CallerHeaders,
  body: unknown,
): Promise<Received> {
  const { app, name, kinds } = receiver;
  try {
    const caller = (await receiver.verify?.(headers)) ?? 'known';
    if (caller !== 'known') {
      app.log.write('warning', 'delivery refused', { function: name, caller });
      return { status: caller === 'unknown' ? 401 : 403, outcome: 'refused' };
    }
    const wakeUp = parse(body);
    if (wakeUp === undefined || !kinds.includes(wakeUp.kind)) {
      app.log.write('error', 'not a wake-up of this function', { function: name });
      return { status: 200, outcome: 'ignored' };
    }
    return await act(receiver, wakeUp);
  } catch (error) {
    app.log.write('error', 'delivery failed', { function: name, fault: faultName(error) });
    return { status: 503, outcome: 'again' };
  }
}

async function act({ app, handle }: Receiver, wakeUp: WakeUp): Promise<Received> {
  const ahead = wakeUp.at - app.clock.now();
  if (ahead > SKEW) {
    // A queue schedules at most 29 days ahead: this was one leg of the way. Or its clock
    // is far ahead of ours, and then the next task needs another name than the one that is being
    // delivered.
    await app.queue.enqueue(repeated(wakeUp));
    return { status: 200, outcome: 'early' };
  }
  // Timers may ring a millisecond early, and the row would not be due yet.
  if (ahead > 0) await app.clock.sleep(ahead + 1);
  try {
    const outcome = await handle(wakeUp);
    return { status: outcome === 'done' ? 200 : 503, outcome };
  } catch (error) {
    // The name only: a message can hold what a task said.
    const { kind, taskId: task, revision } = wakeUp;
    const fault = faultName(error);
    app.log.write('error', 'wake-up failed', { kind, task, revision, fault }, wakeUp.trace);
    return { status: 503, outcome: 'again' };
  }
}

function parse(body: unknown): WakeUp | undefined {
  const parsed = wakeUpSchema.safeParse(body);
  const id = parsed.success ? taskId(parsed.data.taskId) : undefined;
  if (!parsed.success || id === undefined) return undefined;
  const { trace: given, also, ...rest } = parsed.data;
  const trace = traceparent(given);
  const others = also?.flatMap((each) => taskId(each) ?? []);
  const more = others === undefined ? {} : { also: others };
  return { ...rest, ...more, taskId: id, ...(trace !== undefined && { trace }) };
}
