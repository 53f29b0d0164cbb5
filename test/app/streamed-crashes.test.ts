import { expect, it } from 'vitest';
import {
  type Artifact,
  type Ceiling,
  type Model,
  type ModelTurn,
  RetryLater,
  type TurnContext,
} from '../../shared/agent/index.ts';
import type { Frame } from '../../shared/app/service.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { call } from '../../testing/scripted-model.ts';
import { Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { framesOf } from './stream-frames.ts';
import { modelAgent, type Ran, rowOf } from './turn-loop-world.ts';
import { deliver } from './deliver.ts';
import { World } from './world.ts';

// A run whose answer is streamed, of a chain whose first model breaks off in the middle. At one
// call to the store after the other, and at one piece of text after the other, its process fails
// or dies. A client reads along the whole time.

const FIRST = ['From', ' the first', ' of them'];
const BESIDE = ['I look', ' it', ' up.'];
const ANSWER = ['My', ' secret', ' answer.'];

/** Where the process is lost: at a call to the store, or as it writes a piece. */
interface Loss {
  readonly store: Breaking;
  readonly piece: number;
}

class Writers {
  pieces = 0;
  readonly #loss: Loss;

  constructor(loss: Loss) {
    this.#loss = loss;
  }

  /** A third of a second apart, each a commit of its own; the last is pending as the turn ends. */
  async write(pieces: readonly string[], { after, draft }: TurnContext): Promise<string> {
    for (const piece of pieces) {
      this.pieces += 1;
      if (this.pieces === this.#loss.piece) {
        this.#loss.store.dead = true;
        await new Promise<never>(() => undefined);
      }
      await draft?.write(piece);
      if (piece !== pieces.at(-1)) await new Promise<void>((resolve) => void after(300, resolve));
    }
    return pieces.join('');
  }

  chain(ceiling: Ceiling): readonly Model[] {
    const first: Model = {
      name: 'first',
      turn: async (_request, _signal, context) => {
        await this.write(FIRST, context);
        throw new RetryLater('cut', { delay: 10_000 });
      },
    };
    const second: Model = {
      name: 'second',
      ceiling,
      turn: async ({ transcript }, _signal, context): Promise<ModelTurn> => {
        if (transcript.length > 1) return { text: await this.write(ANSWER, context) };
        return { text: await this.write(BESIDE, context), calls: [call('look', { at: 'a' })] };
      },
    };
    return [first, second];
  }
}

async function run(ceiling: Ceiling, loss: Loss) {
  const ran: Ran[] = [];
  const writers = new Writers(loss);
  const [first, second] = writers.chain(ceiling);
  if (first === undefined || second === undefined) throw new Error('a chain of two');
  const agent = modelAgent(first, ran, { model: [first, second], stream: true });
  const front = new World(agent);
  const worker = new World(agent, { below: front, wrap: (below) => loss.store.store(below) });
  const { taskId } = await front.send('go');
  const seen: Frame[] = [];
  const reading = readAlong(front, taskId, seen);
  for (let round = 0; round < 400; round += 1) {
    const row = await rowOf(front, taskId);
    if (isEnded(row) && row.projectedRevision === row.revision) break;
    await deliver(front, loss.store.dead ? front : worker);
    await front.clock.advance(1_000);
    if (!loss.store.dead) await worker.clock.advance(1_000);
    await sweep(front.app);
  }
  await front.clock.advance(5_000);
  await reading;
  const journal = await framesOf(front, taskId);
  return { journal, ran, seen, task: await front.get(taskId), writers };
}

async function readAlong(front: World, taskId: string, seen: Frame[]): Promise<void> {
  const until = { until: 'terminal', afterSeq: 0 } as const;
  const { signal } = new AbortController();
  const stream = await front.service.stream(front.principal, taskId, until, signal);
  if (isRefused(stream)) throw new Error(stream.code);
  for await (const frame of stream) seen.push(frame);
}

/** What a client has of the answer after each event, if it follows `append`. */
function statesOf(frames: readonly Frame[]): readonly string[] {
  let parts: Artifact['parts'] = [];
  return frames.flatMap((frame) => {
    if (frame.kind !== 'event' || frame.event.kind !== 'artifact') return [];
    const { append, artifact } = frame.event;
    parts = append ? [...parts, ...artifact.parts] : artifact.parts;
    return [parts.map((part) => ('text' in part ? part.text : '?')).join('')];
  });
}

const eventsOf = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'event' ? [frame.event] : []));

function check(ceiling: Ceiling, { journal, ran, seen, task }: Awaited<ReturnType<typeof run>>) {
  const said = ceiling === 'full' ? 'My secret answer.' : 'My [removed] answer.';
  expect(task).toMatchObject({ status: { state: 'COMPLETED' } });
  expect(task.status.message).toBeUndefined();
  expect(task.artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: said }] }]);
  expect(ran.map(({ tool }) => tool)).toContain('look');
  // At no moment more than the words of one try, or less than their beginning.
  const words = [FIRST, BESIDE, [said]].map((pieces) => pieces.join(''));
  const states = statesOf(seen);
  expect(states.filter((state) => !words.some((whole) => whole.startsWith(state)))).toEqual([]);
  expect(states.at(-1)).toBe(said);
  if (ceiling !== 'full') {
    expect(JSON.stringify([seen, journal])).not.toContain('secret');
    return;
  }
  // Whatever the client saw is in the journal, and in that order.
  expect(eventsOf(seen)).toEqual(eventsOf(journal));
}

const CEILINGS: readonly Ceiling[] = ['full', 'redacted'];

it.each(CEILINGS)('under the ceiling %s nothing is lost without a loss', async (ceiling) => {
  const outcome = await run(ceiling, { store: new Breaking(0, 'before'), piece: 0 });
  check(ceiling, outcome);
  expect(outcome.ran).toHaveLength(1);
  expect(outcome.writers.pieces).toBe(FIRST.length + BESIDE.length + ANSWER.length);
  const chunks = statesOf(outcome.seen).length;
  expect(chunks).toBe(ceiling === 'full' ? 3 + 3 + 3 : 2 + 2);
});

it.each(CEILINGS.flatMap((ceiling) => BREAKS.map((how) => [ceiling, how] as const)))(
  'under the ceiling %s an answer whose process is lost at any call to the store (%s) is whole, and was never shown uncommitted or doubled',
  async (ceiling, how) => {
    const whole = new Breaking(0, how);
    await run(ceiling, { store: whole, piece: 0 });
    expect(whole.calls).toBeGreaterThan(20);
    await atEachCall(whole, how, async (store) =>
      check(ceiling, await run(ceiling, { store, piece: 0 })),
    );
  },
  120_000,
);

it.each(CEILINGS)(
  'under the ceiling %s an answer whose process is lost at any piece of it is stated anew by the next',
  async (ceiling) => {
    const pieces = FIRST.length + BESIDE.length + ANSWER.length;
    for (let piece = 1; piece <= pieces; piece += 1) {
      const outcome = await run(ceiling, { store: new Breaking(0, 'before'), piece });
      try {
        check(ceiling, outcome);
      } catch (cause) {
        throw new Error(`piece ${piece} of ${pieces}`, { cause });
      }
    }
  },
);
