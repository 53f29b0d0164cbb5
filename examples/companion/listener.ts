import { type Model, type ModelEntry, textOf } from 'holdfast/agent';

const NAMED = /\bmy name is (\p{Lu}[\p{L}'’-]{0,39})/u;

/** Stands in where there is no key: it listens for names. */
export const listener: Model = {
  name: 'listener',
  async turn({ memory = [], transcript }, _signal, { draft }) {
    const told = transcript.flatMap(wordsOf).join('\n');
    const text = answerTo(told, memory.flatMap(wordsOf).join('\n'));
    await draft?.write(text);
    // Three letters are about a token; a millionth of the currency each.
    const [inputTokens, outputTokens] = [Math.ceil(told.length / 3), Math.ceil(text.length / 3)];
    return { text, usage: { inputTokens, outputTokens, cost: inputTokens + outputTokens } };
  },
};

function answerTo(told: string, before: string): string {
  const [, name] = NAMED.exec(told) ?? [];
  if (name !== undefined) return `Good to meet you, ${name}.`;
  const [, known] = NAMED.exec(before) ?? [];
  return known === undefined ? 'Tell me your name: “My name is Ada.”' : `You are ${known}.`;
}

const wordsOf = (entry: ModelEntry): readonly string[] =>
  entry.role === 'user' ? [textOf(entry.message)] : [];
