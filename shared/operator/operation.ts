import type { z } from 'zod';
import type { App } from '../app/app.ts';
import type { LiveRuns } from '../app/operators/live-runs.ts';
import type { Finding } from '../app/operators/examine.ts';
import type { Operator } from '../app/operators/operator-rights.ts';
import type { TaskService } from '../app/service.ts';
import type { AgentName } from '../domain/ids.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Right } from '../ports/grants.ts';
import type { ErrorCode } from './error-table.ts';
import { fail } from './failure.ts';
import type { Reply } from './reply.ts';

/** A card, and what of it only the edge that serves it knows. */
export interface SeenCard {
  readonly url?: string;
  readonly card: JsonObject;
  /** For callers who have proved who they are. */
  readonly extended?: JsonObject;
  /** Fields that are missing here. */
  readonly missing: readonly string[];
}

export type AgentCards = (agent: AgentName) => Promise<SeenCard | undefined>;

/** What an operation works with, besides its own input. */
export interface Surroundings {
  readonly app: App;
  readonly caller: Operator;
  readonly agents: readonly AgentName[];
  /** Opens the event stream of an operation that answers with one. */
  readonly reply: Reply;
  readonly live: LiveRuns;
  /** The use cases of callers, for an operator who acts as one; loaded when first asked for. */
  readonly tasks: () => Promise<TaskService>;
  /** Build of the console that is served here; absent: none is. */
  readonly console: string | undefined;
  /** The card of an agent as its callers see it; undefined: not made here. */
  readonly cards: AgentCards | undefined;
  /** What only the process itself can look at. */
  readonly host: (() => Promise<readonly Finding[]>) | undefined;
}

export interface Given<Q, B> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
}

/**
 * One operation as its author writes it: the router, the checks of input and output, and OpenAPI
 * all come of it.
 */
export interface Spec<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** `/runs/{id}`. */
  readonly path: string;
  readonly summary: string;
  /** For the description: what an operator needs. `any`: any right on the agent. */
  readonly right: Right | 'any' | 'none';
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A;
  /** It answers with bytes of any kind, and not with JSON. */
  readonly bytes?: true;
  /** It may answer with server-sent events instead; in words. */
  readonly stream?: string;
  /** Besides what every operation can answer. */
  readonly errors?: readonly ErrorCode[];
  /** Undefined: the reply was written by the operation itself. */
  handle(
    around: Surroundings,
    given: Given<z.output<Q>, z.output<B>>,
  ): Promise<z.input<A> | undefined>;
}

export interface Operation extends Omit<Spec<z.ZodType, z.ZodType, z.ZodType>, 'handle'> {
  run(
    around: Surroundings,
    params: Readonly<Record<string, string>>,
    query: unknown,
    body: unknown,
  ): Promise<unknown>;
}

/**
 * Throws for a caller who is no operator of any published agent; an empty list would only puzzle
 * them.
 */
export async function requireOperator({ agents, caller }: Surroundings): Promise<void> {
  const rights = await Promise.all(agents.map((agent) => caller.rights(agent)));
  if (rights.every(({ size }) => size === 0)) throw fail('PERMISSION_DENIED');
}

export function operation<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  spec: Spec<Q, B, A>,
): Operation {
  return {
    ...spec,
    async run(around, params, query, body) {
      const given = {
        params,
        query: checked(spec.query, query) as z.output<Q>,
        body: checked(spec.body, body) as z.output<B>,
      };
      const answer = await spec.handle(around, given);
      // Fields that the schema does not describe are dropped.
      return answer === undefined ? undefined : spec.answer.parse(answer);
    },
  };
}

function checked(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : undefined;
  const field = unknown ?? issue?.path.join('.') ?? '';
  const words = unknown === undefined ? (issue?.message ?? 'is not understood') : 'is not known';
  throw fail('INVALID_PARAMS', `${field}: ${words}`, { field });
}
