import { contextId, CONTEXT_ID_RULE, type ContextId, type Principal } from '../../domain/ids.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import type { Replied, SendRequest } from '../service.ts';

/** A direct Message for what needs no task, if the agent has one; nothing is stored. */
export async function reply(
  app: App,
  principal: Principal,
  request: SendRequest,
): Promise<Replied | Refused | undefined> {
  const agent = app.agents.get(principal.agent);
  const context = contextOf(app, request);
  if (typeof context !== 'string') return context;
  const parts = await agent?.reply?.(request.message);
  if (parts === undefined) return undefined;
  return {
    kind: 'replied',
    contextId: context,
    message: { messageId: app.ids.uuid(), role: 'agent', parts },
  };
}

/** The context that the client named, unchanged, or a new one; never another one (A2A section 3.4.1, case D9). */
export function contextOf(app: App, request: SendRequest): ContextId | Refused {
  const named = request.contextId;
  if (named === undefined || named === '')
    return contextId(app.ids.uuid()) ?? invalid('message.contextId', CONTEXT_ID_RULE);
  return contextId(named) ?? invalid('message.contextId', `must be ${CONTEXT_ID_RULE}`);
}
