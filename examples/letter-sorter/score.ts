import { z } from 'zod';
import { sorted } from './agent.ts';

const KEYS = ['topic', 'urgent'] as const;
const given = z.object({
  case: z.object({ expect: sorted.pick({ topic: true, urgent: true }) }),
  answer: z.object({ data: sorted }),
});

interface Score {
  readonly score: number;
  readonly why?: string;
}

/** Half for the topic, half for the urgency; the words of the summary are the model's own. */
export default function score(asked: unknown): Score {
  const { answer, case: wanted } = given.parse(asked);
  const wrong = KEYS.filter((key) => answer.data[key] !== wanted.expect[key]);
  if (wrong.length === 0) return { score: 1 };
  return { score: 1 - wrong.length / KEYS.length, why: `not the ${wrong.join(' and ')}` };
}
