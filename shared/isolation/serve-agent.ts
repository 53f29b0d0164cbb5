import type { Agent, Ending } from '../app/agents.ts';
import { SegmentOver } from '../app/segments.ts';
import type { Message } from '../domain/message.ts';
import type { Clock } from '../ports/clock.ts';
import type { Strays } from '../ports/strays.ts';
import { Asking } from './asking.ts';
import { askedToolServers } from './asked-tool-servers.ts';
import { isolatedSegment } from './isolated-segment.ts';
import type {
  FromProcess,
  SegmentData,
  SentEnding,
  ToProcess,
  TranscriptState,
} from './messages.ts';
import { SentErrors } from './sent-errors.ts';

/** What the process of an agent works with. */
export interface Serving {
  /** Rejects if the agent can't be loaded. */
  readonly agent: Promise<Pick<Agent, 'run' | 'reply'>>;
  readonly send: (message: FromProcess) => void;
  readonly clock: Clock;
  readonly strays?: Strays;
  /** Does work so that it can be told afterwards which run the code at hand belongs to. */
  readonly within: <T>(run: number, work: () => T) => T;
}

/** The number under which a process asks for what belongs to no run of its own. */
export const NO_RUN = 0;

/**
 * Runs an agent for another process, which has all that its runs need. Answers what takes the
 * messages of that process.
 */
export function serveAgent(serving: Serving): (message: ToProcess) => void {
  const { send } = serving;
  const shared = new Asking(NO_RUN, send);
  const toolServers = askedToolServers(shared);
  const runs = new Map<number, ServedRun>();
  return (message) => {
    const { run } = message;
    switch (message.kind) {
      case 'run': {
        const served = new ServedRun(serving, run, message.segment);
        runs.set(run, served);
        void served.work(message.segment, toolServers).finally(() => runs.delete(run));
        return;
      }
      case 'reply':
        return void replied(serving, run, message.message);
      case 'abort':
        return runs.get(run)?.abort(message.reason);
      case 'answer': {
        const { answer, call, state } = message;
        return run === NO_RUN
          ? shared.answered(call, answer)
          : runs.get(run)?.answered(call, answer, state);
      }
    }
  };
}

/** One run at work. */
class ServedRun {
  readonly #serving: Serving;
  readonly #run: number;
  readonly #asking: Asking;
  readonly #stop = new AbortController();
  #state: TranscriptState;

  constructor(serving: Serving, run: number, { aborted, transcript }: SegmentData) {
    this.#serving = serving;
    this.#run = run;
    this.#asking = new Asking(run, serving.send);
    this.#state = transcript;
    if (aborted !== undefined) this.abort(aborted.reason);
  }

  abort(reason: unknown): void {
    this.#stop.abort(reason);
  }

  answered(
    call: number,
    answer: Parameters<Asking['answered']>[1],
    state: TranscriptState | undefined,
  ): void {
    this.#state = state ?? this.#state;
    this.#asking.answered(call, answer);
  }

  /** Never rejects: how it came out is told. */
  async work(data: SegmentData, toolServers: ReturnType<typeof askedToolServers>): Promise<void> {
    const { agent, clock, send, strays, within } = this.#serving;
    const run = this.#run;
    const asking = this.#asking;
    const segment = isolatedSegment(data, {
      ask: (method, ...args) => asking.ask(method, args),
      tell: (told) => send({ kind: 'tell', run, told }),
      errors: asking.errors,
      signal: this.#stop.signal,
      state: () => this.#state,
      clock,
      toolServers,
    });
    const stray = (error: unknown): void => {
      // An echo of its end says nothing to its author.
      if (!(error instanceof SegmentOver)) segment.stray(error);
    };
    const loaded = await agent.catch(() => undefined);
    // The process can't go on, and says so itself.
    if (loaded === undefined) return;
    const work = () => loaded.run(segment);
    const owned = () => (strays === undefined ? work() : strays.within(stray, work));
    try {
      send({ kind: 'ended', run, ending: this.#sent(await within(run, owned)) });
    } catch (error) {
      send({ kind: 'thrown', run, error: asking.errors.send(error) });
    }
    asking.close();
    this.abort('lost');
  }

  #sent(ending: Ending): SentEnding {
    return 'error' in ending
      ? { ...ending, error: this.#asking.errors.send(ending.error) }
      : ending;
  }
}

async function replied(
  { agent, send, strays, within }: Serving,
  run: number,
  message: Message,
): Promise<void> {
  const errors = new SentErrors();
  const stray = (error: unknown): void =>
    send({ kind: 'tell', run, told: { what: 'stray', error: errors.send(error) } });
  const work = async () => (await agent).reply?.(message);
  const owned = () => (strays === undefined ? work() : strays.within(stray, work));
  try {
    const parts = await within(run, owned);
    send({ kind: 'replied', run, ...(parts !== undefined && { parts }) });
  } catch (error) {
    send({ kind: 'thrown', run, error: errors.send(error) });
  }
}
