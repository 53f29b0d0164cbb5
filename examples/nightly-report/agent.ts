import { defineAgent } from 'holdfast/agent';
import { report } from './report.ts';

const NIGHTS = 7;
/** Of each night, in universal time. */
const HOUR = 2;

/**
 * Reports each night for a week, and sleeps in between, when no process holds it. Try it with
 * `npm start -- --agents examples/nightly-report/agent.ts`.
 */
export default defineAgent({
  name: 'nightly-report',
  description: 'Reports on a subject, each night for a week.',
  async steps(ctx) {
    let day = await ctx.step('begin', ({ now }) => now);
    for (let night = 1; night <= NIGHTS; night += 1) {
      const at = nightAfter(day);
      await ctx.until(at);
      const lines = await ctx.step(`report ${night}`, () => report(ctx.text, night));
      await ctx.artifact({ artifactId: `night-${night}`, name: `Night ${night}`, parts: lines });
      day = at.toISOString();
    }
    return `${NIGHTS} nights reported.`;
  },
});

function nightAfter(day: string): Date {
  const at = new Date(day);
  at.setUTCHours(HOUR, 0, 0, 0);
  if (at.getTime() <= Date.parse(day)) at.setUTCDate(at.getUTCDate() + 1);
  return at;
}
