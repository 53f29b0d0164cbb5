import { contextId, CONTEXT_ID_RULE, type ContextId, type Principal } from '../../domain/ids.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import type { Message } from '../../domain/message.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { redactItems } from '../content/redact-items.ts';
import { ceilingsOf, refusedByPolicy } from '../privacy/policy.ts';
import type { Replied, SendRequest } from '../service.ts';

/**
 * A direct Message for what needs no task, if the agent has one; nothing is stored, and the policy
 * holds all the same (G6).
 */
export async function reply(
  app: App,
  principal: Principal,
  request: SendRequest,
): Promise<Replied | Refused | undefined> {
  const agent = app.agents.get(principal.agent);
  const context = contextOf(app, request);
  if (typeof context !== 'string') return context;
  if (agent?.reply === undefined) return undefined;
  const forbidden = refusedByPolicy(app, agent);
  if (forbidden !== undefined) return forbidden;
  const parts = await agent.reply(request.message);
  if (parts === undefined) return undefined;
  const message: Message = { messageId: app.ids.uuid(), role: 'agent', parts };
  return { kind: 'replied', contextId: context, message: await allowed(app, agent, message) };
}

/** A reply is an answer like any other: what the caller gets is what might have been kept of it. */
async function allowed(app: App, agent: Agent, message: Message): Promise<Message> {
  if (ceilingsOf(app, agent).answerCeiling === 'full') return message;
  const [item] = await redactItems(app.redactor, [{ kind: 'message', message }]);
  return item?.kind === 'message' ? item.message : { ...message, parts: [] };
}

/**
 * The context that the client named, unchanged, or a new one; never another one (A2A section
 * 3.4.1).
 */
export function contextOf(app: App, request: SendRequest): ContextId | Refused {
  const named = request.contextId;
  if (named === undefined || named === '')
    return contextId(app.ids.uuid()) ?? invalid('message.contextId', CONTEXT_ID_RULE);
  return contextId(named) ?? invalid('message.contextId', `must be ${CONTEXT_ID_RULE}`);
}
