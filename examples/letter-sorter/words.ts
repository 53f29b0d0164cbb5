import { type Model, type ModelEntry, textOf } from 'holdfast/agent';

const TOPICS = {
  order: /\b(order|deliver|arriv|ship)/i,
  complaint: /\b(broken|complain|refund|wrong|angry)/i,
};
const URGENT = /\b(urgent|asap|hurry|at once|immediately|today)\b/i;

/** Stands in where there is no model: it knows a letter by a few words. */
export const words: Model = {
  name: 'words',
  turn({ transcript }) {
    const letter = transcript.flatMap(textIn).join('\n');
    const topic = TOPICS.complaint.test(letter)
      ? 'complaint'
      : TOPICS.order.test(letter)
        ? 'order'
        : 'other';
    const [first = ''] = letter.trim().split(/(?<=[.!?])\s/);
    const summary = first.slice(0, 300) || 'An empty letter.';
    const text = JSON.stringify({ topic, urgent: URGENT.test(letter), summary });
    return Promise.resolve({ text });
  },
};

function textIn(entry: ModelEntry): readonly string[] {
  return entry.role === 'user' ? [textOf(entry.message)] : [];
}
