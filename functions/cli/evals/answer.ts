import { z } from 'zod';
import { triedTask } from '../../../shared/operator/playground-schemas.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { OperatorApi } from '../client.ts';
import type { Event } from '../events.ts';

const parts = z
  .array(z.looseObject({ text: z.string().optional(), data: z.unknown().optional() }))
  .default([]);
const message = z.looseObject({ parts });
const task = z.looseObject({
  id: z.string(),
  status: z.looseObject({ state: z.string(), message: message.optional() }),
  artifacts: z.array(z.looseObject({ parts })).default([]),
});

const response = z.looseObject({ task: task.optional(), message: message.optional() });

/** What came of a message, as scorers see it. */
export interface Answer {
  /** Absent where the agent answered at once, without a task. */
  readonly task?: string;
  readonly state: string;
  /** Of its last message; without one, of its artifacts. */
  readonly text: string;
  /** The first data of its artifacts, or of its message. */
  readonly data?: unknown;
  readonly artifacts: readonly unknown[];
}

const WAIT = 1_000;
/** A stream that ends early is asked for again, so often without news of the task. */
const TRIES = 30;

/** A message to an agent. Under one `messageId` it is one task, however often it is sent. */
export interface Sent {
  readonly messageId: string;
  readonly parts: readonly unknown[];
}

/**
 * Sends it, and waits until the task is over or asks for something. A connection that is lost, or a
 * server that is away, is waited for. Throws CliError.
 */
export async function answerOf(
  client: OperatorApi,
  agent: string,
  sent: Sent,
  pause: (milliseconds: number) => Promise<void>,
): Promise<Answer> {
  const path = `/agents/${encodeURIComponent(agent)}/try`;
  let known: string | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      // What is known by its id is not sent again, only looked at.
      const events =
        known === undefined ? client.events(path, sent) : client.events(`${path}/${known}`);
      const found = await newestIn(events);
      known = found.answer?.task ?? known;
      if (found.rests && found.answer !== undefined) return found.answer;
    } catch (error) {
      const isAway = error instanceof CliError && error.exit === EXIT.access;
      if (!isAway || tries >= TRIES) throw error;
      await pause(WAIT);
    }
  }
}

interface Newest {
  readonly answer?: Answer;
  /** Nothing came behind it. Otherwise the task is looked at once more: then it is whole. */
  readonly rests: boolean;
}

async function newestIn(events: AsyncIterable<Event>): Promise<Newest> {
  let answer: Answer | undefined;
  let rests = true;
  for await (const { data, name } of events) {
    if (name !== 'response') continue;
    const { message: said, task: shown } = response.parse(data);
    if (shown !== undefined) answer = answerIn(shown);
    else if (said !== undefined) answer = saidAtOnce(said);
    else rests = false;
  }
  return { ...(answer !== undefined && { answer }), rests };
}

/** One that asks is asked nothing back: without this it would wait in the inbox. */
export async function cancelTask(client: OperatorApi, agent: string, task: string): Promise<void> {
  const path = `/agents/${encodeURIComponent(agent)}/try/${encodeURIComponent(task)}/cancel`;
  await client.post(path, {}, triedTask);
}

type Task = z.output<typeof task>;
type Parts = z.output<typeof parts>;

const textIn = (all: Parts): string => all.flatMap(({ text }) => text ?? []).join('\n');
const dataIn = (all: Parts): unknown => all.find(({ data }) => data !== undefined)?.data;

function answerIn({ artifacts, id, status }: Task): Answer {
  const said = status.message?.parts ?? [];
  const made = artifacts.flatMap((each) => each.parts);
  const data = dataIn(made) ?? dataIn(said);
  return {
    task: id,
    state: status.state,
    text: textIn(said) || textIn(made),
    ...(data !== undefined && { data }),
    artifacts,
  };
}

function saidAtOnce({ parts: said }: z.output<typeof message>): Answer {
  const data = dataIn(said);
  return {
    state: 'TASK_STATE_COMPLETED',
    text: textIn(said),
    ...(data !== undefined && { data }),
    artifacts: [],
  };
}
