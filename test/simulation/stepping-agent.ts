import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Agent } from '../../shared/app/agents.ts';
import type { Millis } from '../../shared/domain/brand.ts';
import type { Effects } from './remote-line.ts';
import { remoteNamed } from './remotes.ts';

/** What is done once needs leave, so it is called as those agents are. */
export const STEPPING_AGENT = 'asks-leave-in-steps';
/** What its callers and operators deliver. */
export const EVENT = 'paid';
/** As long as a wait of it lasts. */
export const PATIENCE: Millis = 400;

/**
 * A function of steps that does everything a function may ask of its context: steps of both kinds,
 * an approval, a sleep, events in two branches, one that never comes, and a call beside them.
 */
export function steppingAgent(effects: Effects): Agent {
  return defineAgent({
    name: STEPPING_AGENT,
    description: 'An agent of the simulation.',
    remotes: [remoteNamed('quick')],
    publication: { decisions: { owner: true } },
    events: { [EVENT]: { schema: z.number(), owner: true }, never: { schema: z.number() } },
    async steps(ctx) {
      const done = (once: boolean) => async (call: { readonly key: string }) => {
        await effects({ taskId: ctx.taskId, callId: call.key.slice(ctx.taskId.length + 1), once });
        return 'done';
      };
      await ctx.artifact({ artifactId: 'log', parts: 'begun', lastChunk: false });
      await ctx.step('look up', done(false));
      const { approved } = await ctx.approve('pay', { summary: 'pay something' });
      if (approved) await ctx.step('pay', done(true), { effect: 'once' });
      await ctx.sleep(60);
      const first = await ctx.event(EVENT, { timeout: PATIENCE });
      await ctx.artifact({ artifactId: 'log', parts: 'waited', append: true });
      const [second, third, never] = await ctx.all([
        (one) => one.event(EVENT, { timeout: PATIENCE }),
        async (two) => {
          await two.call('quick', 'please do it');
          return two.event(EVENT, { timeout: PATIENCE });
        },
        async (three) => {
          const came = await three.event('never', { timeout: 100 });
          await three.step('late', done(false));
          return came;
        },
      ]);
      const data = [first, second, third, never].map((each) => each ?? null);
      await ctx.artifact({ artifactId: 'report', parts: [{ data }] });
      return 'all steps done';
    },
  });
}
