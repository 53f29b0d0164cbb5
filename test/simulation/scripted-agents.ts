import { defineAgent, RetryLater, TaskFailed } from '../../shared/agent/index.ts';
import type { Agent, Agents } from '../../shared/app/agents.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { fileAgents } from './file-agents.ts';
import type { Effects } from './remote-line.ts';
import { steppingAgent } from './stepping-agent.ts';
import { tickingAgent } from './ticking-agent.ts';
import { thinkingAgent } from './thinking-agent.ts';
import { waitingAgents } from './waiting-agents.ts';

export const CHAPTERS = ['one', 'two', 'three', 'four', 'five', 'six'] as const;
/** Over the simulation's inline limit, so that it lies in an object of its own. */
export const LARGE = Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7) % 251);
export const LONG_TEXT = 'a long text '.repeat(300);

const description = 'An agent of the simulation.';

/**
 * What the agents of one process do. None repeats a client's words, so that those can be looked for
 * where they must not be.
 */
function agentsOf(clock: Clock): readonly Agent[] {
  return [
    defineAgent({ name: 'short', description, run: () => 'short work done' }),
    defineAgent({
      name: 'stream',
      description,
      async run(ctx) {
        for (const [at, text] of CHAPTERS.entries()) {
          await ctx.status(`chapter ${at + 1}`);
          const lastChunk = at === CHAPTERS.length - 1;
          await ctx.artifact({ artifactId: 'story', parts: text, append: true, lastChunk });
          await clock.sleep(45, ctx.signal);
        }
        await ctx.artifact({ artifactId: 'note', parts: 'the end' });
        return 'told';
      },
    }),
    defineAgent({
      name: 'burst',
      description,
      async run(ctx) {
        // An agent need not wait for ctx.artifact: what is shown is shown in order.
        const shown = CHAPTERS.map((text) =>
          ctx.artifact({ artifactId: 'story', append: true, parts: `${text}${' '.repeat(900)}` }),
        );
        await Promise.all(shown);
        return 'told at once';
      },
    }),
    defineAgent({
      name: 'asks',
      description,
      async run(ctx) {
        const answered = ctx.history.length > 0;
        await ctx.artifact({
          artifactId: 'log',
          append: true,
          parts: answered ? 'answered' : 'asked',
        });
        await ctx.artifact({ parts: answered ? 'second' : 'first' });
        if (!answered) {
          const schema = { type: 'object', properties: { size: { type: 'number' } } } as const;
          ctx.ask('which size?', { ...schema, required: ['size'] });
        }
        return 'thank you';
      },
    }),
    defineAgent({
      name: 'fails',
      description,
      async run(ctx) {
        await ctx.artifact({ artifactId: 'half', parts: 'half of it' });
        throw new TaskFailed('it cannot be done');
      },
    }),
    defineAgent({
      name: 'throws',
      description,
      run: () => Promise.reject(new Error('a secret of the agent')),
    }),
    defineAgent({ name: 'rejects', description, run: (ctx) => ctx.reject('not for me') }),
    defineAgent({
      name: 'later',
      description,
      async run(ctx) {
        await ctx.artifact({ artifactId: 'story', append: true, parts: `one` });
        if (ctx.attempt === 1) throw new RetryLater('come back');
        return 'at last';
      },
    }),
    defineAgent({
      name: 'slow',
      description,
      async run(ctx) {
        for (let step = 1; step <= 12; step += 1) {
          await clock.sleep(100, ctx.signal);
          await ctx.status(`step ${step}`);
        }
        return 'slow work done';
      },
    }),
    defineAgent({
      name: 'patient',
      description,
      async run() {
        // Longer than a lease, without a sign of life: the claim has to be kept for it.
        await clock.sleep(2_700);
        return 'patient work done';
      },
    }),
    defineAgent({
      name: 'large',
      description,
      async run(ctx) {
        await ctx.artifact({ artifactId: 'picture', parts: [{ raw: LARGE }] });
        await ctx.artifact({
          artifactId: 'book',
          parts: [{ text: LONG_TEXT }, { data: { n: 1 } }],
        });
        await clock.sleep(120, ctx.signal);
        await ctx.artifact({ artifactId: 'table', parts: [{ data: { text: LONG_TEXT } }] });
        return 'large work done';
      },
    }),
    defineAgent({
      name: 'discreet',
      description,
      publication: { provider: 'redacted' },
      async run(ctx) {
        for (const [at, text] of CHAPTERS.slice(0, 3).entries()) {
          await ctx.status(`chapter ${at + 1} has a secret-of-status`);
          await ctx.artifact({ artifactId: 'story', parts: `${text} secret-${at} `, append: true });
          await clock.sleep(45, ctx.signal);
        }
        await ctx.artifact({ artifactId: 'book', parts: `secret-at-length ${LONG_TEXT}` });
        return 'a secret-at-the-end is told';
      },
    }),
    defineAgent({ name: 'hangs', description, run: () => new Promise<void>(() => undefined) }),
    defineAgent({
      name: 'parallel',
      description,
      parallel: true,
      run: async (ctx) => {
        await clock.sleep(80, ctx.signal);
        const earlier = await ctx.earlierTasks();
        await ctx.artifact({ artifactId: 'count', parts: [{ data: earlier.length }] });
        return 'parallel work done';
      },
    }),
  ];
}

export function scriptedAgents(clock: Clock, effects: Effects): Agents {
  // Made when they are asked for: a schedule starts many processes, each of which needs one or two.
  const groups: (() => readonly Agent[])[] = [
    () => agentsOf(clock),
    () => waitingAgents(effects),
    () => fileAgents(clock),
    () => [thinkingAgent(effects), steppingAgent(effects), tickingAgent(clock)],
  ];
  const agents = new Map<string, Agent>();
  return {
    get: (name) => {
      while (!agents.has(name)) {
        const group = groups.shift();
        if (group === undefined) break;
        for (const agent of group()) agents.set(agent.name, agent);
      }
      return agents.get(name);
    },
  };
}
