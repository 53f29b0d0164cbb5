import type { Ending, SegmentPorts } from '../app/agents.ts';
import type { Limits } from '../domain/budget.ts';
import type { Remote } from '../domain/remote.ts';
import { type AgentContext, agentContext } from './agent-context.ts';
import {
  declaredAgent,
  type DefinedAgent,
  type Maybe,
  type SharedDeclaration,
} from './declared-agent.ts';
import { thrownEnding } from './endings.ts';
import {
  limitsProblems,
  type ModelAgentFields,
  modelAgentBehaviour,
  modelAgentProblems,
  remotesProblems,
  toolsOf,
} from './model-agent.ts';
import { toParts, type Words } from './parts.ts';
import {
  declaredEvents,
  type EventDeclarations,
  eventsProblems,
} from './steps/event-declaration.ts';
import { runSteps, type StepsFunction } from './steps/run-steps.ts';

/** Said by another kind of agent. */
type Absent<K extends PropertyKey> = { readonly [key in K]?: never };

/** An agent that is a function. */
export interface AgentDeclaration
  extends SharedDeclaration,
    Absent<keyof ModelAgentFields | 'steps' | 'events'> {
  /**
   * Works on one message. What it returns is the final message of the task; nothing is fine, too.
   */
  readonly run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>;
}

/** An agent that is a function of durable steps. */
export interface StepsAgentDeclaration<E extends EventDeclarations = EventDeclarations>
  extends SharedDeclaration,
    Absent<Exclude<keyof ModelAgentFields, 'remotes' | 'limits'> | 'run'> {
  /**
   * Works on one task, from its message to its result. It runs from its top whenever the task is
   * taken up again, and what it asks of its context is done once (docs/steps.md). What it returns
   * is the final message of the task.
   */
  readonly steps: StepsFunction<E>;
  /** Events that it may wait for, by their names (docs/steps.md#events). */
  readonly events?: E;
  /** Agents that it may call. */
  readonly remotes?: readonly Remote[];
  /**
   * What one run may use; `rounds` are its operations. Without its own, 1,000 operations, 5 calls
   * of other agents and 10 MiB to and from them.
   */
  readonly limits?: Limits;
}

/** An agent that is a model with tools. */
export interface ModelAgentDeclaration extends SharedDeclaration, ModelAgentFields {
  readonly run?: never;
  readonly steps?: never;
  readonly events?: never;
}

type Declaration = AgentDeclaration | StepsAgentDeclaration | ModelAgentDeclaration;

/** Operations of one run in steps, unless its agent says otherwise. */
const OPERATIONS = 1_000;

/**
 * Declares an agent. Throws TypeError that lists everything that is wrong with the declaration.
 *
 * @example
 * export default defineAgent({
 *   name: 'shout',
 *   description: 'Repeats a text in capital letters.',
 *   run: (ctx) => ctx.text.toUpperCase(),
 * });
 */
export function defineAgent<E extends EventDeclarations = EventDeclarations>(
  declaration: AgentDeclaration | StepsAgentDeclaration<E> | ModelAgentDeclaration,
): DefinedAgent;
export function defineAgent(declaration: Declaration): DefinedAgent {
  const { events = {}, limits, remotes, steps } = declaration;
  const tools = toolsOf(declaration);
  const within = steps === undefined ? limits : { rounds: OPERATIONS, ...limits };
  const agent = declaredAgent(declaration, behaviourProblems(declaration), () => ({
    ...(remotes && { remotes }),
    tools: tools.map(({ facets, name }) => ({ kind: 'tool', name, facets })),
    ...(within && { limits: within }),
    spends: declaration.spends ?? declaration.model !== undefined,
    ...(steps && { steps: true }),
    ...(Object.keys(events).length > 0 && { events: declaredEvents(events) }),
    ...behaviourOf(declaration),
  }));
  if (declaration.model === undefined) return agent;
  return { ...agent, withModel: (model) => defineAgent({ ...declaration, model }) };
}

function behaviourOf(declaration: Declaration): Pick<DefinedAgent, 'run' | 'replay'> {
  if (declaration.steps !== undefined) {
    const { events, remotes, steps } = declaration;
    return {
      run: (segment) => runSteps(segment, steps, { events, remotes }),
      replay: (segment) => runSteps(segment, steps, { events, remotes }, true),
    };
  }
  if (declaration.run === undefined) return modelAgentBehaviour(declaration);
  const { run } = declaration;
  return { run: (segment) => runDeclared(segment, run) };
}

function behaviourProblems(declaration: Declaration): readonly string[] {
  const { events = {}, limits = {}, model, remotes = [], run, steps } = declaration;
  const kinds = [model, run, steps].filter((each) => each !== undefined);
  if (kinds.length > 1) return ['It has one of run, steps and a model, not several.'];
  if (steps === undefined && Object.keys(events).length > 0) return ['events go with steps alone.'];
  if (model !== undefined) return modelAgentProblems(declaration);
  if (steps === undefined) return typeof run === 'function' ? [] : ['run must be a function.'];
  return [
    ...(typeof steps === 'function' ? [] : ['steps must be a function.']),
    ...remotesProblems(remotes),
    ...limitsProblems(limits),
    ...eventsProblems(events),
  ];
}

async function runDeclared(
  segment: SegmentPorts,
  run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>,
): Promise<Ending> {
  let noted: Ending | undefined;
  const ctx = agentContext(segment, ({ ending }) => {
    noted ??= ending;
  });
  try {
    const words = await run(ctx);
    return (
      noted ?? { kind: 'completed', parts: words === undefined ? [] : toParts(words, 'result') }
    );
  } catch (error) {
    if (noted !== undefined) return noted;
    const ending = thrownEnding(error);
    if (ending !== undefined) return ending;
    // An infrastructure fault that passed through the agent is not the agent's failure; the segment
    // decides.
    throw error;
  }
}
