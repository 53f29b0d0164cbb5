import type { Model, ModelRequest, ModelTurn, TurnContext } from '../shared/agent/index.ts';

/** A turn, or what makes one. What is no turn at all is for tests of models that misbehave. */
export type Scripted =
  | ModelTurn
  | ((request: ModelRequest, signal: AbortSignal, call: TurnContext) => unknown)
  | null
  | string
  | number;

/**
 * A model that follows a script: its n-th turn is the n-th entry, for any process and however often
 * it asks, so a turn that was lost is made again. Past its end it says `done`.
 */
export class ScriptedModel implements Model {
  readonly name = 'scripted';
  /** How often it was asked, turns that were lost included. */
  calls = 0;
  readonly requests: ModelRequest[] = [];
  readonly #script: readonly Scripted[];

  constructor(...script: readonly Scripted[]) {
    this.#script = script;
  }

  async turn(request: ModelRequest, signal: AbortSignal, call: TurnContext): Promise<ModelTurn> {
    this.calls += 1;
    this.requests.push(request);
    const made = request.transcript.filter(({ role }) => role === 'model' || role === 'notice');
    const entry = made.length < this.#script.length ? this.#script[made.length] : { text: 'done' };
    return (typeof entry === 'function' ? await entry(request, signal, call) : entry) as ModelTurn;
  }

  /** What it saw last. */
  get seen(): ModelRequest['transcript'] {
    return this.requests.at(-1)?.transcript ?? [];
  }
}

/** One call of a turn. */
export function call(name: string, given: unknown = {}) {
  return { name, arguments: given };
}
