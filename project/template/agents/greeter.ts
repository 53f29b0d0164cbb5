import { defineAgent } from 'holdfast/agent';

export default defineAgent({
  name: 'greeter',
  description: 'Greets you by name.',
  async run(ctx) {
    const name = ctx.text.trim();
    // The task waits for the answer without a process; it then comes here again, from the top.
    if (name === '') ctx.ask('What is your name?');
    await ctx.artifact({ name: 'greeting', parts: `Hello, ${name}!` });
    return 'Greeted.';
  },
});
