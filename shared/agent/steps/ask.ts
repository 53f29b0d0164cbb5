import type { z } from 'zod';
import type { Json } from '../../domain/json.ts';
import type { Message } from '../../domain/message.ts';
import { someParts } from '../agent-context.ts';
import { issuesOf } from '../issues.ts';
import { schemaOf } from '../json-schema.ts';
import type { Words } from '../parts.ts';
import { answersIn } from '../pending-turn.ts';
import type { Branch } from './branch.ts';
import type { Taken } from './branches.ts';
import { type Answer, idOf, resultOf, turnOf } from './recorded.ts';

/** Asks the caller, and answers with what it said: the message, or data that fits the schema. */
export function ask(branch: Branch, question: Words, schema?: z.ZodType): Promise<unknown> {
  const { branches, course, segment } = branch.around;
  const words = someParts(question, 'question');
  const wanted = schema && schemaOf(schema, 'the schema of a question');
  return branch.operation('ask', 'ask', async (operation, recorded) => {
    const answer = recorded?.answer;
    const read = answer === undefined ? {} : readAnswer(answer, schema);
    if ('value' in read) {
      if (recorded?.result === undefined)
        course.defer({ step: resultOf(idOf(operation.path), null) });
      return read.value;
    }
    // It went on with that answer already: there is no question that another one would belong to.
    if (recorded?.result !== undefined)
      return branch.endAsMisfit(branch.scope.changed(operation), operation);
    if (recorded === undefined) await branch.record(operation, {}, 'ask');
    const callId = idOf(operation.path);
    const { digest } = turnOf(operation, {});
    return branches.wait(
      { kind: 'other', path: operation.path },
      async (): Promise<Taken<unknown>> => {
        await course.flush();
        const pause = {
          kind: 'input',
          words: [...words, ...(read.problem === undefined ? [] : [{ text: read.problem }])],
          ...(wanted !== undefined && { schema: wanted }),
          digest: await segment.transcript.publicDigest(digest),
          callId,
        } as const;
        const calls = [{ id: callId, tool: 'ask' }];
        return { kind: 'ends', ending: { kind: 'paused', pause, calls } };
      },
    );
  });
}

/** The first that fits of what may be meant; or what is wrong with the likeliest. */
function readAnswer(
  answer: Answer,
  schema: z.ZodType | undefined,
): { readonly value: unknown } | { readonly problem?: string } {
  if (schema === undefined) return { value: messageOf(answer) };
  const given = answersIn(answer);
  for (const each of given) {
    const { data, success } = schema.safeParse(each);
    if (success) return { value: data };
  }
  const { error } = schema.safeParse(given[0] ?? null);
  const why = error === undefined ? 'There is no data in it.' : issuesOf(error);
  return { problem: `The last answer did not fit: ${why}` };
}

/** What an operator put in is as if the caller had said it. */
function messageOf(answer: Answer): Message {
  if (answer.kind === 'answer') return answer.message;
  const { generation, input = null } = answer;
  const part = typeof input === 'string' ? { text: input } : { data: input satisfies Json };
  return { messageId: `input-${generation}`, role: 'user', parts: [part] };
}
