import { defineAgent } from '../../shared/agent/index.ts';

/** So many steps as its message says, each of which returns what that of the peer returns. */
export default defineAgent({
  name: 'stepper',
  description: 'Works in as many steps as its message says.',
  async steps(ctx) {
    const count = Number(ctx.text);
    let sum = 0;
    for (let step = 1; step <= count; step += 1) {
      const { value } = await ctx.step(`step ${step}`, () => ({ step, value: step * step }));
      sum += value;
    }
    return `${count} steps: ${sum}`;
  },
});
