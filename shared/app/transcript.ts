import type { Millis } from '../domain/brand.ts';
import type { Exceeded, Limits, Spending, Spent } from '../domain/budget.ts';
import type { Artifact, Part } from '../domain/message.ts';
import type { Remote } from '../domain/remote.ts';
import type { Continuation } from '../domain/run.ts';
import type { Signal, SignalFacts } from '../domain/signal.ts';
import type { Result, Step } from '../domain/step.ts';
import type { StepTold } from '../domain/step-facts.ts';

/** A message to a remote agent, for one call of the model. */
export interface Order {
  readonly callId: string;
  readonly remote: Remote;
  readonly parts: readonly Part[];
}

export type Delegated =
  /** The remote answered at once, or did not take it: the result is committed as the next step. */
  | { readonly kind: 'answered'; readonly step: Result }
  /** The run waits for it: this segment is over. */
  | { readonly kind: 'suspended' }
  /** A budget would be passed; nothing was sent. */
  | { readonly kind: 'exceeded'; readonly limit: Exceeded }
  | Resting;

/** The remote agent is left alone until then; nothing was sent. */
export interface Resting {
  readonly kind: 'resting';
  readonly remote: string;
  readonly until: Millis;
}

/**
 * The run's transcript, for an agent that works in steps. Every method rejects once the segment is
 * over.
 */
export interface Transcript {
  /** Every committed step, oldest first. */
  load(): Promise<readonly Step[]>;
  /**
   * Commits the next step, or several, with what was shown until now and with them, and what they
   * cost, in one transaction.
   */
  append(
    steps: Step | readonly Step[],
    more?: {
      readonly artifacts?: readonly Artifact[];
      readonly spend?: Spending;
      /** Of each step, in their order, what it does not say itself. */
      readonly told?: readonly StepTold[];
    },
  ): Promise<void>;
  /** A tool that must not run twice is about to begin; the step with its result ends it. */
  begin(callId: string): Promise<void>;
  delegate(order: Order): Promise<Delegated>;
  /**
   * Events that were delivered to the run, from this number on, oldest first; and how many there
   * are by now.
   */
  signals(
    from: number,
  ): Promise<{ readonly count: number; readonly signals: readonly SignalFacts[] }>;
  /** One of them, with its data. Throws Unreadable. */
  signal(number: number): Promise<Signal>;
  /**
   * A digest that may become public: keyed with the run's work key, so that its content can't be
   * guessed by trial. Equal for equal input, as long as the run is active.
   */
  publicDigest(digest: string): Promise<string>;
  /** As last committed here. */
  readonly spent: Spent;
  /** Summaries may be written here: every function reads them. */
  maySumUp(): Promise<boolean>;
  /** Remote agents may be asked: what waits for one may be written here. */
  readonly delegates: boolean;
  readonly limits: Limits;
  /** What brought the run back, until a step has taken it in. */
  readonly continuation: Continuation | undefined;
  /** How long this segment may still go on. */
  readonly timeLeft: Millis;
}
