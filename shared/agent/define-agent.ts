import type { Ending, SegmentPorts } from '../app/agents.ts';
import { type AgentContext, agentContext } from './agent-context.ts';
import {
  declaredAgent,
  type DefinedAgent,
  type Maybe,
  type SharedDeclaration,
} from './declared-agent.ts';
import { thrownEnding } from './endings.ts';
import {
  type ModelAgentFields,
  modelAgentProblems,
  modelAgentRun,
  toolsOf,
} from './model-agent.ts';
import { toParts, type Words } from './parts.ts';

/** Said by the other kind of agent. */
type Absent<K extends PropertyKey> = { readonly [key in K]?: never };

/** An agent that is a function. */
export interface AgentDeclaration extends SharedDeclaration, Absent<keyof ModelAgentFields> {
  /**
   * Works on one message. What it returns is the final message of the task; nothing is fine, too.
   */
  readonly run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>;
}

/** An agent that is a model with tools. */
export interface ModelAgentDeclaration extends SharedDeclaration, ModelAgentFields {
  readonly run?: never;
}

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
export function defineAgent(declaration: AgentDeclaration | ModelAgentDeclaration): DefinedAgent {
  const { limits, remotes } = declaration;
  const tools = toolsOf(declaration);
  return declaredAgent(declaration, behaviourProblems(declaration), () => ({
    ...(remotes && { remotes }),
    tools: tools.map(({ facets, name }) => ({ kind: 'tool', name, facets })),
    ...(limits && { limits }),
    spends: declaration.spends ?? declaration.model !== undefined,
    run:
      declaration.run === undefined
        ? modelAgentRun(declaration)
        : (segment) => runDeclared(segment, declaration.run),
  }));
}

function behaviourProblems(declaration: AgentDeclaration | ModelAgentDeclaration) {
  const { model, run } = declaration;
  if (model === undefined) return typeof run === 'function' ? [] : ['run must be a function.'];
  if (run !== undefined) return ['It has either run or a model, not both.'];
  return modelAgentProblems(declaration);
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
