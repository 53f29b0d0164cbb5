import { defineAgent } from 'holdfast/agent';
import { arrivals } from './arrivals.ts';

/**
 * Sums up each weekday at nine what came in since the day before, without a caller. Try it with
 * `npm start -- --agents examples/morning-digest/agent.ts`, and `npm run holdfast -- schedule run
 * morning-digest` for one at once.
 */
export default defineAgent({
  name: 'morning-digest',
  description: 'Sums up what came in since the last working day.',
  schedule: { cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', overlap: 'skip' },
  async run(ctx) {
    const { at, timezone } = ctx.schedule ?? { at: new Date(), timezone: 'UTC' };
    const found = arrivals(at);
    await ctx.artifact({ name: 'Digest', parts: [{ data: { at: at.toISOString(), found } }] });
    const day = at.toLocaleDateString('sv-SE', { timeZone: timezone });
    return `${day}: ${found.length} came in.`;
  },
});
