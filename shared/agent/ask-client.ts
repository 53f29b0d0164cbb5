import { z } from 'zod';
import type { JsonObject } from '../domain/json.ts';
import type { Question, Tool } from './define-tool.ts';
import { issuesOf } from './issues.ts';
import { schemaOf } from './json-schema.ts';
import { unfit } from './unfit.ts';

/** What the model calls to ask its client; an author's tool can't have that name beside it. */
export const ASK_CLIENT = 'ask_client';

/** Of words that become public. */
const WORDS = 4_000;
const NAME = 100;
const FIELDS = 20;
const CHOICES = 50;

/**
 * A form in the place of a schema: a model says it without mistakes, every provider takes it, and
 * no pattern of a model's is run against what a client answers.
 */
const field = z.object({
  name: z.string().min(1).max(NAME).describe('What the value is called, in one word.'),
  type: z.enum(['text', 'number', 'yes_or_no']),
  description: z.string().max(WORDS).optional(),
  choices: z
    .array(z.string().min(1).max(NAME))
    .min(1)
    .max(CHOICES)
    .optional()
    .describe('For a text: the values that it may have.'),
  optional: z.boolean().optional(),
});
type Field = z.infer<typeof field>;

const parameters = z.object({
  question: z.string().trim().min(1).max(WORDS).describe('In words that the client understands.'),
  fields: z
    .array(field)
    .min(1)
    .max(FIELDS)
    .optional()
    .describe('What the answer is made of, if single values are wanted.'),
});
const wanted = schemaOf(parameters, 'a question');

const DESCRIPTION =
  'Asks the client, and waits for the answer, which may take days. Use it when something is missing that only the client can know.';

/**
 * The tool by which a model asks its client in its own words (INPUT_REQUIRED). Its result is what
 * the client says: the words, the data, or both.
 */
export const askClient: Tool = {
  name: ASK_CLIENT,
  description: DESCRIPTION,
  effect: 'read',
  parameters: wanted,
  // Ours in every release: only whether there is such a tool can change.
  facets: {},
  ready(given) {
    const { data, error } = parameters.safeParse(given);
    if (error !== undefined) return unfit(`The arguments do not fit. ${issuesOf(error)}`);
    const { fields, question } = data;
    return {
      kind: 'ready',
      approval: false,
      summary: question,
      thrown: [],
      question: questionOf(question, fields),
      run: (_call, input = null) => Promise.resolve(input),
    };
  },
};

function questionOf(words: string, fields: readonly Field[] | undefined): Question {
  const open = { words, open: true, problem: () => undefined } as const;
  return fields === undefined ? open : { ...open, schema: formOf(fields) };
}

/** JSON Schema of what fills the form in. */
function formOf(fields: readonly Field[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((each) => [each.name, valueOf(each)])),
    required: fields.flatMap(({ name, optional = false }) => (optional ? [] : [name])),
    additionalProperties: false,
  };
}

const TYPES = { text: 'string', number: 'number', yes_or_no: 'boolean' } as const;

function valueOf({ choices, description, type }: Field): JsonObject {
  return {
    type: TYPES[type],
    ...(description !== undefined && { description }),
    ...(type === 'text' && choices !== undefined && { enum: choices }),
  };
}
