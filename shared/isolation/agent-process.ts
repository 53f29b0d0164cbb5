import type { Ending, SegmentPorts } from '../app/agents.ts';
import type { AgentName } from '../domain/ids.ts';
import type { Message, Part } from '../domain/message.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import type { Death, FromProcess, Link, OpenLink, SentEnding } from './messages.ts';
import { isOfRun, isOfTools } from './messages.ts';
import { reasonOf, SegmentAnswers } from './segment-answers.ts';
import { SentErrors } from './sent-errors.ts';
import { NO_RUN } from './serve-agent.ts';
import { ToolAnswers } from './tool-answers.ts';

/** How work came out in the process of its agent. */
export type Outcome =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'replied'; readonly parts?: readonly Part[] }
  | Gone;

/** The process is gone, and what became of the work is not known there. */
export type Gone =
  /** `alone`: it is all that the process ever had to do. */
  | { readonly kind: 'died'; readonly death: Death; readonly run: number; readonly alone: boolean }
  /** It said that it could not go on. */
  | { readonly kind: 'broken'; readonly error: unknown };

/** Runs that are over, whose stray errors are told to their author all the same. */
const REMEMBERED = 100;

/** Work that was given to the process and is not over. */
interface Open {
  readonly errors: SentErrors;
  readonly answers?: SegmentAnswers;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** One process of an agent, and what is at work in it. */
export class AgentProcess {
  /** Resolves when the process is gone, after all that it worked on was told. */
  readonly ended: Promise<void>;
  readonly #link: Link;
  readonly #tools: ToolAnswers;
  readonly #stray: (error: unknown) => void;
  readonly #open = new Map<number, Open>();
  readonly #over = new Map<number, SegmentAnswers>();
  #begun = NO_RUN;
  #gone = false;
  #broken: { readonly error: unknown } | undefined;

  /** `stray` is told of errors that nothing caught and that belong to no segment. */
  constructor(
    open: OpenLink,
    agent: AgentName,
    toolServers: ToolServers,
    stray: (error: unknown) => void,
  ) {
    this.#tools = new ToolAnswers(toolServers);
    this.#stray = stray;
    this.#link = open(agent, (message) => this.#take(message));
    this.ended = this.#link.ended.then((death) => this.#died(death));
  }

  /** What is at work. */
  get busy(): number {
    return this.#open.size;
  }

  /** It takes nothing more. */
  get gone(): boolean {
    return this.#gone || this.#broken !== undefined;
  }

  /** Rejects with what the agent throws. */
  async run(segment: SegmentPorts): Promise<Outcome> {
    const answers = new SegmentAnswers(segment);
    const run = (this.#begun += 1);
    const abort = (): void => {
      this.#link.send({ kind: 'abort', run, reason: reasonOf(segment.signal) });
    };
    const outcome = this.#await(run, answers.errors, answers);
    this.#link.send({ kind: 'run', run, segment: answers.data });
    segment.signal.addEventListener('abort', abort, { once: true });
    try {
      return await outcome;
    } finally {
      segment.signal.removeEventListener('abort', abort);
    }
  }

  /** Rejects with what the agent throws. */
  reply(message: Message): Promise<Outcome> {
    const run = (this.#begun += 1);
    const outcome = this.#await(run, new SentErrors());
    this.#link.send({ kind: 'reply', run, message });
    return outcome;
  }

  /** Ends the process at once. */
  close(): void {
    this.#link.end();
  }

  #await(run: number, errors: SentErrors, answers?: SegmentAnswers): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#open.set(run, { errors, ...(answers && { answers }), resolve, reject });
    });
  }

  /** What makes no sense came from the agent's own code, and stops nothing here. */
  #take(message: FromProcess): void {
    try {
      this.#hear(message);
    } catch (error) {
      this.#stray(error);
    }
  }

  #hear(message: FromProcess): void {
    if (message.kind === 'broken') {
      this.#broken ??= { error: new SentErrors().take(message.error) };
      return;
    }
    const { run } = message;
    const open = this.#open.get(run);
    switch (message.kind) {
      case 'call':
        return void this.#answer(message).catch(this.#stray);
      case 'cancel':
        return run === NO_RUN ? this.#tools.cancel(message.call) : undefined;
      case 'tell': {
        const answers = open?.answers ?? this.#over.get(run);
        if (answers !== undefined) answers.tell(message.told);
        else if (message.told.what === 'stray')
          this.#stray((open?.errors ?? new SentErrors()).take(message.told.error));
        return;
      }
      case 'ended':
        open?.resolve({ kind: 'ended', ending: endingOf(message.ending, open.errors) });
        return this.#close(run, new Error('the agent has ended'));
      case 'replied':
        open?.resolve({ kind: 'replied', ...(message.parts && { parts: message.parts }) });
        return this.#close(run, undefined);
      case 'thrown': {
        const error = open?.errors.take(message.error);
        open?.reject(error);
        return this.#close(run, error);
      }
    }
  }

  async #answer({ asked, call, run }: Extract<FromProcess, { kind: 'call' }>): Promise<void> {
    if (isOfTools(asked)) {
      const answer = await this.#tools.answer(call, asked);
      return this.#link.send({ kind: 'answer', run, call, answer });
    }
    const answers = this.#open.get(run)?.answers;
    // It does not wait for this any more.
    if (answers === undefined || !isOfRun(asked)) return;
    this.#link.send({ kind: 'answer', run, call, ...(await answers.answer(asked)) });
  }

  /** Whatever it left open is closed with it. */
  #close(run: number, error: unknown): void {
    const answers = this.#open.get(run)?.answers;
    this.#open.delete(run);
    if (answers === undefined) return;
    answers.close(error);
    const [oldest] = this.#over.keys();
    if (this.#over.size >= REMEMBERED && oldest !== undefined) this.#over.delete(oldest);
    this.#over.set(run, answers);
  }

  #died(death: Death): void {
    this.#gone = true;
    this.#tools.close();
    const alone = this.#begun === NO_RUN + 1;
    for (const [run, open] of this.#open) {
      const broken = this.#broken && ({ kind: 'broken', ...this.#broken } as const);
      open.resolve(broken ?? { kind: 'died', death, run, alone });
      this.#close(run, new Error('the process of the agent is gone'));
    }
  }
}

function endingOf(sent: SentEnding, errors: SentErrors): Ending {
  return 'error' in sent ? { ...sent, error: errors.take(sent.error) } : sent;
}
