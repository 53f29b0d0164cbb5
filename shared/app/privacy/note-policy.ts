import { z } from 'zod';
import type { AgentName } from '../../domain/ids.ts';
import { isFault } from '../../ports/faults.ts';
import type { Doc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { codec } from '../records/documents.ts';
import { faultName } from '../wake-up.ts';
import { ceilingsOf } from './policy.ts';

const policySchema = z.object({
  v: z.literal(1),
  /** In words, of the installation and of each agent that was ever published here. */
  says: z.record(z.string(), z.string()),
});
type PolicyDoc = z.infer<typeof policySchema>;
const policyDoc: Doc<PolicyDoc> = {
  path: 'installation/policy',
  codec: codec<PolicyDoc>(policySchema),
};

/** No agent has this name. */
const INSTALLATION = '*';

/**
 * Notes in the audit record that the configuration says something else than it did of what may be
 * kept, and for how long; at a start, once for each change. What is stored is not changed by that:
 * each open task comes under it when it goes on (docs/privacy.md#ceilings). A store that is away
 * costs the note, not the start.
 */
export async function notePolicy(app: App, agents: readonly AgentName[]): Promise<void> {
  try {
    await note(app, policyOf(app, agents));
  } catch (error) {
    if (!isFault(error)) throw error;
    app.log.write('warning', 'policy not noted', { fault: faultName(error) });
  }
}

async function note(app: App, says: PolicyDoc['says']): Promise<void> {
  const known = await app.store.get(policyDoc);
  if (known !== undefined && Object.entries(says).every(([of, words]) => known.says[of] === words))
    return;
  const write = await prepareAudit(app, { act: 'policy', operator: 'configuration' });
  await app.store.transact(async (tx) => {
    const before = (await tx.get(policyDoc))?.says ?? {};
    const changed = Object.entries(says).flatMap(([of, words]) => {
      const was = before[of];
      return was === undefined || was === words ? [] : [`${of}: ${was} -> ${words}`];
    });
    tx.set(policyDoc, { v: 1, says: { ...before, ...says } });
    if (changed.length > 0) write(tx, { outcome: changed.join('; ') });
  });
}

function policyOf(app: App, agents: readonly AgentName[]): PolicyDoc['says'] {
  const { installation, settings } = app;
  const { auditRetention, retention, trailRetention, waitingRetention } = settings;
  const own = { ...installation, retention, waitingRetention, trailRetention, auditRetention };
  const ofAgents = agents.map((name) => {
    const agent = app.agents.get(name);
    const { answerCeiling: answer, archive, auditCeiling: audit } = ceilingsOf(app, agent);
    const { trail } = agent?.publication ?? {};
    return [
      name,
      words({ answer, audit, archive, ...(trail !== undefined && { trail }) }),
    ] as const;
  });
  return Object.fromEntries([[INSTALLATION, words(own)], ...ofAgents]);
}

const words = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
