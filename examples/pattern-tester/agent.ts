import { type AgentContext, defineAgent } from 'holdfast/agent';
import { z } from 'zod';

const trial = z.object({ pattern: z.string().min(1).max(200), text: z.string().max(10_000) });

/**
 * Tries a regular expression of a caller. Some take longer than the universe has: `(a+)+$` on
 * `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!` does. In a process of its own that ends one run, and
 * the server with its other agents does not notice:
 * `npm start -- --agents examples/pattern-tester/agent.ts --set agentSilence=5000`.
 */
export default defineAgent({
  name: 'pattern-tester',
  description: 'Finds what a regular expression matches: { "pattern": "[a-z]+", "text": "..." }.',
  isolation: 'process',
  async run(ctx) {
    const given = ctx.message.parts.flatMap((part) => ('data' in part ? [part.data] : []));
    const read = trial.safeParse(given[0]);
    if (!read.success) return ctx.ask('Which pattern, on which text?', trial);
    const { pattern, text } = read.data;
    const matches = [...text.matchAll(expressionOf(pattern, ctx))].map(([match]) => match);
    await ctx.artifact({ name: 'matches', parts: [{ data: matches }] });
    return `${matches.length} found.`;
  },
});

function expressionOf(pattern: string, ctx: AgentContext): RegExp {
  try {
    return new RegExp(pattern, 'gu');
  } catch (error) {
    return ctx.ask(`${error instanceof Error ? error.message : String(error)}. Another one?`);
  }
}
