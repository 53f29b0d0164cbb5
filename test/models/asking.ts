import { onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  defineTool,
  type ModelAgentDeclaration,
  type Part,
} from '../../shared/agent/index.ts';
import {
  type Limited,
  ProviderServer,
  type Scripted,
} from '../doubles/providers/provider-server.ts';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { World, type WorldOptions } from '../app/world.ts';
import type { Provider } from './providers.ts';

/** An agent with two tools whose model is a real provider package over HTTP, after one message. */
export async function asked(...given: Parameters<typeof begun>) {
  const run = await begun(...given);
  await answered(run.world, run.taskId);
  return run;
}

/** The same, at the moment when its message has been taken. */
export async function begun(
  provider: Pick<Provider, 'model' | 'protocol'>,
  script: readonly Scripted[],
  parts: readonly Part[] = [{ text: 'go' }],
  over: Partial<Pick<ModelAgentDeclaration, 'ask' | 'mcp' | 'stream' | 'structured' | 'tools'>> &
    Limited &
    Pick<WorldOptions, 'toolServers'> = {},
) {
  const { takes, toolServers, withoutTools, ...declared } = over;
  const limited = { ...(takes && { takes }), ...(withoutTools && { withoutTools }) };
  const server = new ProviderServer(provider.protocol, script, limited);
  onTestFinished(() => server.stop());
  const ran: unknown[] = [];
  const tool = (name: string, question?: string) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      parameters: z.object({ at: z.string() }),
      effect: 'read',
      ...(question !== undefined && { input: { question, schema: z.object({ n: z.number() }) } }),
      run({ at }, { input }) {
        ran.push({ name, at });
        if (at === 'nowhere') throw new Error('secret');
        return { name, at, ...(input !== undefined && { input }) };
      },
    });
  const agent = defineAgent({
    name: 'modelled',
    description: 'Works in turns.',
    instructions: 'Be brief.',
    model: provider.model(await server.start()),
    tools: [tool('look'), tool('choose', 'Which one?')],
    ...declared,
  });
  const world = new World(agent, toolServers && { toolServers });
  const sent = await world.trySend(parts);
  if (sent.kind !== 'accepted') throw new Error('not accepted');
  const { taskId } = sent;
  return { ran, server, taskId, world };
}

/** Until the run rests: the provider answers over real sockets. */
export async function answered(world: World, taskId: string): Promise<void> {
  for (;;) {
    await finish(world);
    const row = await rowOf(world, taskId);
    const due = row.status === 'queued' && row.notBefore <= world.clock.now();
    if (row.status !== 'running' && !due) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
