import { z } from 'zod';
import type { Json, JsonObject } from '../domain/json.ts';
import { issuesOf } from './issues.ts';
import { schemaOf } from './json-schema.ts';
import { toJson } from './parts.ts';
import { attempted } from './read-turn.ts';

/** What a final answer is to be: data of a schema. */
export interface Structured {
  readonly schema: JsonObject;
  /** What the model is told of it. */
  readonly instructions: string;
  /** The data that a text is, or what is wrong with it. */
  read(text: string): { readonly value: Json } | { readonly problem: string };
}

export function structuredOf(answer: z.ZodType): Structured {
  const schema = schemaOf(answer, 'structured');
  return {
    schema,
    instructions: `Your final answer is JSON of this schema, and nothing else: ${JSON.stringify(schema)}`,
    read(text) {
      const parsed = attempted(() => answer.safeParse(JSON.parse(withoutFence(text))));
      if ('problem' in parsed) return { problem: 'the final answer is no JSON' };
      const { data, error, success } = parsed.value;
      if (!success) return { problem: `the final answer does not fit. ${issuesOf(error)}` };
      return attempted(() => toJson(data, 'the final answer'));
    },
  };
}

/** Many models put JSON into a block of Markdown, also when they are told not to. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\n([^]*?)\n```\s*$/.exec(text)?.[1] ?? text;
}

/** Whether an author's schema can be said as JSON Schema. */
export function isStructure(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType && !('problem' in attempted(() => schemaOf(value, 'it')));
}
