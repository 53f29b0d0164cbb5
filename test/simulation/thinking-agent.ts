import { z } from 'zod';
import { defineAgent, defineTool, type Model, type ModelTurn } from '../../shared/agent/index.ts';
import type { Agent } from '../../shared/app/agents.ts';
import type { Effects } from './remote-line.ts';
import { remoteNamed } from './remotes.ts';

const USAGE = { inputTokens: 4, outputTokens: 6 };

/**
 * Turns of a model that goes by its transcript alone, as real ones do: look something up, pay with
 * leave, delegate, report. It writes its report in pieces.
 */
const scripted: Model = {
  name: 'scripted',
  async turn({ transcript }, _signal, { after, draft }) {
    const turns = transcript.filter(({ role }) => role === 'model').length;
    const call = (name: string, given: object): ModelTurn => ({
      calls: [{ name, arguments: given }],
      usage: USAGE,
    });
    if (turns === 0) return call('look-up', {});
    if (turns === 1) return call('pay', { amount: 3 });
    if (turns === 2) return call('quick', { message: 'please do it' });
    const results = transcript.filter((entry) => entry.role === 'tool');
    const report = results.map(({ callId, status, value }) => [callId, status, value]);
    const artifacts = [{ artifactId: 'report', parts: [{ data: report }] }];
    for (const piece of ['all ', 'turns ', 'done']) {
      await draft?.write(piece);
      await new Promise<void>((resolve) => void after(40, resolve));
    }
    return { text: 'all turns done', artifacts, usage: USAGE };
  },
};

/** An agent with a model, as an author declares one. */
export function thinkingAgent(effects: Effects): Agent {
  const tool = (name: string, once: boolean) =>
    defineTool({
      name,
      description: 'A tool of the simulation.',
      parameters: z.object({ amount: z.number().optional() }),
      effect: once ? 'once' : 'idempotent',
      approval: once,
      async run(_, { callId: key, taskId }) {
        await effects({ taskId, callId: key.slice(taskId.length + 1), once });
        return 'done';
      },
    });
  return defineAgent({
    name: 'asks-leave-thinking',
    description: 'An agent of the simulation.',
    model: scripted,
    instructions: 'Do what is asked.',
    stream: true,
    tools: [tool('look-up', false), tool('pay', true)],
    remotes: [remoteNamed('quick')],
    publication: { decisions: { owner: true } },
  });
}
