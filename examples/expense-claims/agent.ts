import { defineAgent } from 'holdfast/agent';
import { z } from 'zod';
import { ledger } from './ledger.ts';

const claim = z.object({
  what: z.string().min(1).max(200),
  euros: z.number().positive().max(5_000),
  iban: z.string().regex(/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/),
});

/**
 * Pays what a member of staff has laid out, after another person has approved it. What is kept has
 * no account number: not for callers, not in the archive, not after years. Callers must have names:
 * `npm start -- --agents examples/expense-claims/agent.ts --access keys`.
 */
export default defineAgent({
  name: 'expense-claims',
  description: 'Pays an expense: { "what": "a lamp", "euros": 30, "iban": "DE..." }.',
  publication: {
    // The archive in the bucket is unreadable without the keys of the installation.
    archive: 'sealed',
    // An hour after the end no operator can read the steps either.
    trail: 3_600_000,
    // No claimant approves a claim of their own, not even as an operator.
    decisions: { fourEyes: true },
  },
  async steps(ctx) {
    // From here on what is kept is redacted; the function goes on with what it was given.
    await ctx.tighten('redacted');
    const given = ctx.message.parts.flatMap((part) => ('data' in part ? [part.data] : []));
    const read = claim.safeParse(given[0]);
    const { what, euros, iban } = read.success
      ? read.data
      : await ctx.ask('What for, how many euros, and to which account?', claim);
    const { approved } = await ctx.approve('payment', {
      // Public, so without the account; the operator sees that in the details.
      summary: `${euros} euros for ${what}`,
      details: { what, euros, iban, claimedBy: ctx.caller.owner },
    });
    if (!approved) return 'Not approved; nothing was paid.';
    await ctx.step('pay', ({ key }) => ledger.pay(iban, euros, key), { effect: 'idempotent' });
    return `Paid ${euros} euros to ${iban}.`;
  },
});
