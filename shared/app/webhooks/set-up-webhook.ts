import { invalid, type Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { rest, wait, type Webhook } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { sealTarget, webhookKeyUnder } from '../content/webhook-target.ts';
import { viewDoc } from '../records/documents.ts';
import { type WebhookDoc, webhookDoc } from '../records/webhook-document.ts';
import type { Keys, Reads, Writes } from '../change/run-change.ts';
import type { NewWebhook } from '../service.ts';

/** A webhook that is ready to be set up in a change of its run. */
export interface SealedWebhook {
  readonly webhook: Webhook;
  readonly content: Uint8Array;
  /** The key that it is sealed with, as the row has it or is to have it. */
  readonly key: Uint8Array;
}

/** What the transaction found of it. */
export interface FoundWebhook {
  readonly lastSeq: number;
  readonly present: WebhookDoc | undefined;
  /** The row has another key by now: the webhook is sealed again. */
  readonly otherKey: boolean;
}

/**
 * The steps by which a change of a run sets up a webhook for its task, beside whatever else the
 * change does: of one commit, so that no event lies between a message and the webhook that came
 * with it. One whose id is there already is replaced, and is told what the one before was not.
 */
export interface SetUp {
  readonly id: string;
  /** Why it can't be. `at`: where it stands in the request. */
  objection(run: Run, at: string): Refused | undefined;
  seal(keys: Keys): SealedWebhook;
  read(tx: Reads, run: Run, sealed: SealedWebhook): Promise<FoundWebhook>;
  /** Undefined: the task has as many as it may have. */
  addTo(run: Run, sealed: SealedWebhook): Run | undefined;
  write(tx: Writes, sealed: SealedWebhook, found: FoundWebhook): void;
}

export function setUpWebhook(app: App, taskId: string, given: NewWebhook): SetUp {
  const { version, ...config } = given;
  // Without one v0.3 means the one of its task, which is set anew each time.
  const { id = version === '0.3' ? 'default' : app.ids.uuid(), ...target } = config;
  const most = app.settings.webhooks;
  const fits = ({ webhooks }: Run): boolean => {
    const { ids = [] } = webhooks ?? {};
    return ids.includes(id) || ids.length < most;
  };
  return {
    id,
    objection: (run, at) => (fits(run) ? undefined : tooMany(most, at)),
    seal({ run, runKey }) {
      const key = webhookKeyUnder(app, run, runKey);
      const place = { taskId, id, version, createdAt: app.clock.now() };
      const webhook = { ...place, status: 'idle', shard: run.shard, cursor: 0 } as const;
      return { webhook, content: sealTarget(app, key, place, target), key: key.sealed };
    },
    async read(tx, { webhooks }, { key }) {
      const view = await tx.get(viewDoc(taskId));
      const present = await tx.get(webhookDoc(taskId, id));
      const otherKey = webhooks !== undefined && Buffer.compare(webhooks.key, key) !== 0;
      return { lastSeq: view?.lastSeq ?? 0, present, otherKey };
    },
    addTo(run, { key }) {
      if (!fits(run)) return undefined;
      const { ids = [], told = run.projectedRevision } = run.webhooks ?? {};
      const all = ids.includes(id) ? ids : [...ids, id];
      return { ...run, webhooks: { ids: all, key, told } };
    },
    write(tx, { content, webhook }, { lastSeq, present }) {
      const cursor = present?.webhook.cursor ?? lastSeq;
      const told = { ...webhook, cursor };
      const next = { failures: 0, nextAt: app.clock.now(), reason: 'replaced' };
      tx.set(webhookDoc(webhook.taskId, id), {
        webhook: cursor < lastSeq ? wait(told, next) : rest(told),
        content,
      });
    },
  };
}

const tooMany = (most: number, at: string): Refused =>
  invalid(at, `this task has ${most} webhooks, which is the most; delete one first`);
