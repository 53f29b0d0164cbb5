import {
  answerCeiling,
  type ArchiveMode,
  auditCeiling,
  type Ceiling,
  whyNoFiles,
  whyNotKept,
} from '../../domain/ceiling.ts';
import { type Refused, refused } from '../../domain/refusal.ts';
import type { Agent } from '../agents.ts';
import type { App, Installation } from '../app.ts';

export interface Ceilings {
  readonly answerCeiling: Ceiling;
  readonly auditCeiling: Ceiling;
  readonly archive: ArchiveMode;
}

/** What a run of this agent starts with. It can only be tightened afterwards. */
export function ceilingsOf(app: Pick<App, 'installation'>, agent: Agent | undefined): Ceilings {
  const { task, provider, archive = 'standard' } = agent?.publication ?? {};
  const places = { ...(task && { task }), ...(provider && { provider }) };
  return {
    answerCeiling: answerCeiling({ installation: app.installation.answer, ...places }),
    auditCeiling: auditCeiling({ installation: app.installation.audit, ...places }),
    archive,
  };
}

/** Why this agent can't be published here, in words; undefined when it can (G6). */
export function notPublishable(agent: Agent, installation: Installation): string | undefined {
  const { task, provider, archive = 'standard' } = agent.publication ?? {};
  const sources = {
    installation: installation.answer,
    ...(task && { task }),
    ...(provider && { provider }),
  };
  const why = whyNotKept(sources) ?? (agent.files && whyNoFiles(answerCeiling(sources), archive));
  return why && `the agent ${agent.name} can't be published: ${why}`;
}

/**
 * Nothing is created for a publication that can't keep a result, whatever the mode of the call
 * (G6).
 */
export function refusedByPolicy(app: App, agent: Agent | undefined): Refused | undefined {
  const why = agent && notPublishable(agent, app.installation);
  return why === undefined ? undefined : refused('RESULT_NOT_STORABLE', why);
}
