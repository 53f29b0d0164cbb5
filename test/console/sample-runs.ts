import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { operatorAt } from '../e2e/operating.ts';
import type { Server } from '../e2e/server.ts';

const answer = z.object({ task: z.object({ id: z.string(), contextId: z.string() }) });

/** Sends one message as a caller, and answers its task. */
export async function sendMessage(
  { url }: Pick<Server, 'url'>,
  text: string,
  more: { readonly agent?: string; readonly contextId?: string } = {},
): Promise<{ readonly id: string; readonly contextId: string }> {
  const { agent, ...rest } = more;
  const base = agent === undefined ? url : `${url}/agents/${agent}`;
  const response = await fetch(`${base}/message:send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({
      message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...rest },
      configuration: { returnImmediately: true },
    }),
  });
  return answer.parse(await response.json()).task;
}

/** Arguments of the sample assistant, which waits for approvals, input and another agent. */
export const ASSISTANT = [
  '--agents',
  'examples/assistant/index.ts',
  '--remote-private',
  'loopback',
] as const;

export const TABLE = 'profile:\ncity,population,area_km2\nBerlin,3677472,891\nUlm,126949,119\n';

const held = z.object({ waitsFor: z.object({ generation: z.number(), digest: z.string() }) });

/** Approves what a run waits for, as an operator who has just looked at it. */
export async function approve(operator: ReturnType<typeof operatorAt>, id: string): Promise<void> {
  const { digest, generation } = held.parse((await operator.get(`/runs/${id}`)).body).waitsFor;
  const body = { kind: 'approve', pauseGeneration: generation, digest };
  const { status, text } = await operator.post(`/runs/${id}/decisions`, body);
  if (status !== 200) throw new Error(text);
}
