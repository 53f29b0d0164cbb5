import { contextId, CONTEXT_ID_RULE, type ContextId, type Principal } from '../../domain/ids.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import type { Message, Part } from '../../domain/message.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { redactItems } from '../content/redact-items.ts';
import { errorFacts } from '../error-facts.ts';
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
  if (agent?.reply === undefined) return undefined;
  const context = contextOf(app, request);
  if (typeof context !== 'string') return context;
  const forbidden = refusedByPolicy(app, agent);
  if (forbidden !== undefined) return forbidden;
  const parts = await repliedBy(app, agent, request.message);
  if (parts === undefined) return undefined;
  const at = app.clock.now();
  const message: Message = { messageId: app.ids.uuid(), role: 'agent', at, parts };
  return { kind: 'replied', contextId: context, message: await allowed(app, agent, message) };
}

/** What goes wrong in it is told to its author. Its caller learns only that it did. */
async function repliedBy(
  { log, strays }: App,
  asked: Agent,
  message: Message,
): Promise<readonly Part[] | undefined> {
  const report = (where: string, error: unknown): void => {
    const { fault, ...facts } = errorFacts(error);
    log.write('warning', 'agent error', { agent: asked.name, where, fault, ...facts });
  };
  const answered = async () => asked.reply?.(message);
  try {
    if (strays === undefined) return await answered();
    return await strays.within((error) => report('stray', error), answered);
  } catch (error) {
    report('reply', error);
    throw error;
  }
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
