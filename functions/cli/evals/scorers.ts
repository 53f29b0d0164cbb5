import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { usage } from '../cli-error.ts';
import type { Answer } from './answer.ts';
import { type EvalCase, jsonOf } from './cases.ts';

export interface Score {
  /** From 0 to 1. */
  readonly score: number;
  readonly why?: string;
}

export interface Scorer {
  readonly name: string;
  readonly score: (about: { readonly case: EvalCase; readonly answer: Answer }) => Promise<Score>;
}

const scored = z.union([
  z.boolean().transform((right): Score => ({ score: right ? 1 : 0 })),
  z
    .number()
    .min(0)
    .max(1)
    .transform((score): Score => ({ score })),
  z.strictObject({ score: z.number().min(0).max(1), why: z.string().exactOptional() }),
]);

/** Asks an agent, which is a model most often, to grade an answer. */
export type Ask = (agent: string, of: EvalCase, parts: readonly unknown[]) => Promise<Answer>;

/**
 * `exact`, `contains`, `schema`, `agent:<name>`, or a module whose default export is a function.
 * Throws CliError.
 */
export function scorersFor(names: readonly string[], ask: Ask): Promise<readonly Scorer[]> {
  return Promise.all(names.map((name) => scorerFor(name, ask)));
}

async function scorerFor(name: string, ask: Ask): Promise<Scorer> {
  if (name === 'exact') return { name, score: async (about) => exact(about) };
  if (name === 'contains') return { name, score: async (about) => contains(about) };
  if (name === 'schema') return { name, score: async (about) => fits(about) };
  if (name.startsWith('agent:')) return graded(name, name.slice('agent:'.length), ask);
  if (/\.[cm]?[jt]s$/.test(name)) return ofModule(name);
  throw usage(`--score has ${name}; it is exact, contains, schema, agent:<name> or a module`);
}

type About = Parameters<Scorer['score']>[0];

function exact({ answer, case: { expect } }: About): Score {
  if (expect === undefined) return { score: 0, why: 'the case has no expect' };
  const found = typeof expect === 'string' ? answer.text.trim() : answer.data;
  const wanted = typeof expect === 'string' ? expect.trim() : expect;
  return isDeepStrictEqual(found, wanted) ? { score: 1 } : { score: 0, why: 'is another' };
}

function contains({ answer, case: { expect } }: About): Score {
  if (typeof expect !== 'string') return { score: 0, why: 'the case has no text to expect' };
  return answer.text.includes(expect) ? { score: 1 } : { score: 0, why: 'is not in it' };
}

function fits({ answer, case: { schema } }: About): Score {
  if (schema === undefined) return { score: 0, why: 'the case has no schema' };
  const found = z.fromJSONSchema(schema).safeParse(answer.data);
  if (found.success) return { score: 1 };
  const [issue] = found.error.issues;
  return { score: 0, why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() };
}

const isFunction = (value: unknown): value is (about: About) => unknown =>
  typeof value === 'function';

async function ofModule(name: string): Promise<Scorer> {
  const module: unknown = await import(pathToFileURL(resolve(name)).href).catch(
    (error: unknown) => {
      throw usage(`--score ${name} can't be loaded: ${String(error)}`);
    },
  );
  const given = z.looseObject({ default: z.unknown() }).safeParse(module).data?.default;
  if (!isFunction(given)) throw usage(`--score ${name} has no function as its default export`);
  return { name, score: async (about) => scoreIn(name, await calling(name, given, about)) };
}

/** What code of others throws is said in a line, with what it was given. Throws CliError. */
async function calling(
  name: string,
  given: (about: About) => unknown,
  about: About,
): Promise<unknown> {
  try {
    return await given(about);
  } catch (error) {
    throw usage(`${name} throws on the case ${about.case.id}: ${String(error)}`);
  }
}

function scoreIn(name: string, value: unknown): Score {
  const found = scored.safeParse(value);
  if (found.success) return found.data;
  throw usage(
    `${name} answers ${JSON.stringify(value)}; it is a number from 0 to 1, a boolean, or {"score", "why"}`,
  );
}

const GRADE =
  'Grade the answer of another agent to the input: 1 if it is right and complete, 0 if it is wrong. Go by `expect`, if it is there. Reply with JSON alone: {"score": a number from 0 to 1, "why": a short reason}.';

function graded(name: string, agent: string, ask: Ask): Scorer {
  return {
    name,
    async score({ answer: { data, state, text }, case: given }) {
      const { expect, input } = given;
      const about = {
        input,
        ...(expect !== undefined && { expect }),
        answer: { text, data, state },
      };
      const said = await ask(agent, given, [{ text: GRADE }, { data: about }]);
      const json = /\{.*\}/s.exec(said.text)?.[0] ?? '';
      const found = scored.safeParse(said.data ?? jsonOf(json));
      // A grade that can't be read is no grade of the answer.
      return found.success ? found.data : { score: 0, why: `${agent} gave no grade` };
    },
  };
}
