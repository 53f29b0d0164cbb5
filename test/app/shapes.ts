import { type AgentContext, TaskFailed } from '../../shared/agent/index.ts';
import type { World } from './world.ts';

/** Every text that a client or agent writes here carries it. */
export const SECRET = 'my-secret-word';

export interface Shape {
  readonly run: (ctx: AgentContext) => unknown;
  /** What the test does after the first segment. */
  readonly next?: (world: World, taskId: string) => Promise<unknown>;
  readonly state: string;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  'a short task': { run: () => `done ${SECRET}`, state: 'COMPLETED' },
  'a task that asked': {
    run: (ctx) => (ctx.history.length === 0 ? ctx.ask(`which ${SECRET}?`) : `done ${SECRET}`),
    next: async (world, taskId) => {
      await world.send(`this ${SECRET}`, { taskId });
      await world.work();
    },
    state: 'COMPLETED',
  },
  'a cancelled task': {
    run: (ctx) => ctx.ask(`which ${SECRET}?`),
    next: (world, taskId) => world.service.cancel(world.principal, taskId),
    state: 'CANCELED',
  },
  'a failing task': {
    run: () => {
      throw new TaskFailed(`failed ${SECRET}`);
    },
    state: 'FAILED',
  },
  'a large result': {
    run: async (ctx) => {
      await ctx.artifact({ artifactId: 'a', parts: `${SECRET} `.repeat(30_000) });
      return `done ${SECRET}`;
    },
    state: 'COMPLETED',
  },
  'streamed artifacts': {
    run: async (ctx) => {
      for (let at = 0; at < 5; at += 1) {
        await ctx.artifact({
          artifactId: 'a',
          name: SECRET,
          parts: [{ text: SECRET }, { data: { [SECRET]: [SECRET] } }],
          append: true,
        });
      }
      await ctx.artifact({
        artifactId: 'b',
        parts: [
          { raw: Buffer.from(SECRET), filename: SECRET },
          { url: `https://example.com/${SECRET}` },
        ],
      });
      return `done ${SECRET}`;
    },
    state: 'COMPLETED',
  },
};
