import { z } from 'zod';
import { defineTool } from 'holdfast/agent';

const to = z.string().min(1).max(60);
const euros = z.number().positive().max(1_000_000);

/** Asks a person for what the message left out. */
export const amount = defineTool({
  name: 'amount',
  description: 'Asks for the amount of a payment.',
  parameters: z.object({ to }),
  effect: 'read',
  input: {
    question: (asked) => `How many euros does ${asked.to} get?`,
    schema: z.object({ euros }),
  },
  run: (_asked, { input }) => input,
});

/**
 * A real one would call a bank here, with `callId` as the key of the payment. This one moves no
 * money.
 */
export const pay = defineTool({
  name: 'pay',
  description: 'Pays a person.',
  parameters: z.object({ to, euros }),
  effect: 'once',
  approval: true,
  summary: (payment) => `${payment.euros} euros to ${payment.to}`,
  run: (payment, { callId }) => ({ ...payment, key: callId }),
});
