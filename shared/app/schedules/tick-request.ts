import type { Millis } from '../../domain/brand.ts';
import { derivedUuid } from '../../domain/derived-id.ts';
import type { AgentName, Principal, TaskId } from '../../domain/ids.ts';
import { type Schedule, TICK_METADATA } from '../../domain/schedule.ts';
import type { SendRequest } from '../service.ts';

/** Whose tasks a schedule makes: its owner's, who is known if it has a name. */
export const callerOf = (agent: AgentName, { owner }: Schedule): Principal => ({
  agent,
  tenant: '',
  owner,
  authenticated: owner !== '',
});

/** A tick, or a task that an operator asks for between the ticks. */
export interface Tick {
  readonly taskId: TaskId;
  readonly at: Millis;
  readonly requestId?: string;
}

/** The message that a tick sends: the same for the same tick. */
export function tickRequest(
  agent: AgentName,
  { cron, parts, timezone }: Schedule,
  { at, requestId, taskId }: Tick,
): SendRequest {
  const instant = new Date(at).toISOString();
  const words = [{ text: `Scheduled for ${instant} (${cron}, ${timezone}).` }];
  const tick = { agent, at: instant, timezone, ...(requestId !== undefined && { requestId }) };
  return {
    message: {
      messageId: derivedUuid(`message ${taskId}`),
      role: 'user',
      parts: parts.length === 0 ? words : parts,
      metadata: { [TICK_METADATA]: tick },
    },
  };
}
