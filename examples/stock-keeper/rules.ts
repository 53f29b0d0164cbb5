import { z } from 'zod';
import { type Model, type ModelTurn, textOf } from 'holdfast/agent';

const ORDER = /^\s*(?:(count)|take\s+(\d{1,4}))\s+(\p{L}{1,40})[.!?]?\s*$/iu;
const left = z.object({ data: z.object({ article: z.string(), left: z.number() }) });
const failure = z.object({ error: z.string() });

export const WHAT_I_DO = 'I understand “count lamp” and “take 2 lamp”.';

/** Stands in where there is no key: it understands two orders. */
export const rules: Model = {
  name: 'rules',
  turn: ({ instructions, transcript }) => {
    const last = transcript.at(-1);
    if (last?.role === 'user') return Promise.resolve(begin(textOf(last.message), instructions));
    if (last?.role !== 'tool') return Promise.resolve({ text: 'I can’t go on with that.' });
    return Promise.resolve({ text: said(last.value) });
  },
};

function begin(text: string, instructions: string): ModelTurn {
  const [, count, number, article = ''] = ORDER.exec(text) ?? [];
  if (count === undefined && number === undefined) return { text: WHAT_I_DO };
  if (instructions.includes('is not available')) return { text: 'The stock can’t be asked now.' };
  const call =
    count === undefined
      ? { name: 'stock_take', arguments: { article, count: Number(number) } }
      : { name: 'stock_count', arguments: { article } };
  return { calls: [call] };
}

function said(value: unknown): string {
  const read = left.safeParse(value);
  if (read.success) return `${read.data.data.left} × ${read.data.data.article} left.`;
  return failure.safeParse(value).data?.error ?? 'The stock gave no answer.';
}
