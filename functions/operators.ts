import { z } from 'zod';
import { type Grants, RIGHTS } from '../shared/ports/grants.ts';
import { BadConfiguration } from './settings.ts';

export const operatorSchema = z.strictObject({
  /** Names of agents, or `*` for every one. */
  agents: z.array(z.string().min(1)).default(['*']),
  may: z.array(z.enum(RIGHTS)),
});
const schema = z.record(z.string().min(1), operatorSchema);

/** What each operator may do, by the address that the platform knows them under. */
export type Operators = z.infer<typeof schema>;

/**
 * Reads HOLDFAST_OPERATORS: `{"ada@example.com": {"agents": ["*"], "may": ["view", "decide"]}}`.
 * Throws BadConfiguration.
 */
export function parseOperators(text: string | undefined): Operators {
  if (text === undefined || text === '') return {};
  const parsed = schema.safeParse(json(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BadConfiguration(
    `HOLDFAST_OPERATORS: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not understood'}`,
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadConfiguration('HOLDFAST_OPERATORS must be JSON');
  }
}

/** Rights from several places: one that gives a right is enough. */
export function eitherGrants(...all: readonly Grants[]): Grants {
  return {
    async allows(subject, right, agent) {
      for (const grants of all) if (await grants.allows(subject, right, agent)) return true;
      return false;
    },
  };
}

/** Rights as they are written down now: `read` is asked each time. */
export function grantsOf(read: () => Operators | Promise<Operators>): Grants {
  return {
    async allows(subject, right, agent) {
      const operators = await read();
      const found = Object.hasOwn(operators, subject) ? operators[subject] : undefined;
      const here = found?.agents.some((each) => each === '*' || each === agent) ?? false;
      return here && (found?.may.includes(right) ?? false);
    },
  };
}
