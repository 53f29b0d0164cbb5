import { z } from 'zod';
import { type Model, type ModelEntry, type ModelTurn, textOf } from 'holdfast/agent';
import { handedOn } from './handed-on.ts';
import { type Order, orderIn } from './order.ts';

export const WHAT_I_DO =
  'I understand “profile: ” with a table of comma-separated values after it, “pay Ada 120 euros”, “pay Ada” and “the same again”.';

/**
 * Stands where a provider's client would: a plain function of the transcript, so the same run goes
 * the same way again.
 */
export const rules: Model = {
  name: 'rules',
  async turn({ memory = [], transcript }) {
    const last = transcript.at(-1);
    if (last?.role === 'user') return begin(orderOf(last, memory));
    // What it handed on made a turn that can't be shown: it would make the same one again.
    return last?.role === 'tool'
      ? goOn(last, transcript, memory)
      : { text: 'I can’t go on with that.' };
  },
};

/** What an entry asks for: for the same again, what the newest order before it did. */
function orderOf(entry: ModelEntry | undefined, memory: readonly ModelEntry[]): Order {
  const order = entry?.role === 'user' ? orderIn(textOf(entry.message)) : undefined;
  if (order?.kind !== 'again') return order ?? { kind: 'unclear' };
  const before = memory.map((each) => orderOf(each, []));
  return before.findLast(({ kind }) => kind === 'pay' || kind === 'profile') ?? order;
}

function begin(order: Order): ModelTurn {
  switch (order.kind) {
    case 'profile':
      return called('profiler', { message: order.table });
    case 'pay': {
      const { euros, to } = order;
      return euros === undefined ? called('amount', { to }) : called('pay', { to, euros });
    }
    case 'again':
      return { text: 'There is nothing before this that I could do again.' };
    case 'unclear':
      return { text: WHAT_I_DO };
  }
}

type Result = Extract<ModelEntry, { readonly role: 'tool' }>;
const payment = z.object({ to: z.string(), euros: z.number() });
const failure = z.object({ error: z.string() });

function goOn(
  { name, status, value }: Result,
  transcript: readonly ModelEntry[],
  memory: readonly ModelEntry[],
): ModelTurn {
  if (name === 'profiler') {
    const { artifacts, text } = handedOn(value);
    return { text: status === 'ok' ? text : `There is no profile. ${text}`, artifacts };
  }
  if (status === 'error') {
    return { text: `Nothing was paid. ${failure.safeParse(value).data?.error ?? ''}`.trimEnd() };
  }
  if (name === 'amount')
    return called('pay', {
      ...askedIn(transcript, memory),
      ...payment.pick({ euros: true }).parse(value),
    });
  const { euros, to } = payment.parse(value);
  const text = `${euros} euros to ${to}. This is a sample: it wrote a note, and paid nothing.`;
  return {
    text,
    artifacts: [
      {
        artifactId: 'note',
        name: 'note.txt',
        parts: [{ text: `${text}\n`, mediaType: 'text/plain', filename: 'note.txt' }],
      },
    ],
  };
}

/** Whom the message named. */
function askedIn(
  [first]: readonly ModelEntry[],
  memory: readonly ModelEntry[],
): { readonly to?: string } {
  const order = orderOf(first, memory);
  return order.kind === 'pay' ? { to: order.to } : {};
}

function called(name: string, given: Readonly<Record<string, unknown>>): ModelTurn {
  return { calls: [{ name, arguments: given }] };
}
