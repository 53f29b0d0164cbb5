import type { Refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import type { Keys, Reads, Writes } from '../change/run-change.ts';
import type { App } from '../app.ts';
import type { SendRequest } from '../service.ts';
import { objectionTo } from './check-webhook.ts';
import { type FoundWebhook, type SealedWebhook, setUpWebhook } from './set-up-webhook.ts';

const AT = 'configuration.taskPushNotificationConfig';

/** What is wrong with the webhook that came with a message; undefined: nothing, or none came. */
export async function objectionToMessage(
  app: App,
  { webhook }: SendRequest,
): Promise<Refused | undefined> {
  return webhook && objectionTo(app, webhook, `${AT}.`);
}

type Sealed = { readonly hook: SealedWebhook | undefined };
type Found = { readonly foundHook: FoundWebhook | undefined };

/** The webhook that comes with a message, set up in the commit that takes it; most have none. */
export interface MessageWebhook {
  objection(run: Run): Refused | undefined;
  seal(keys: Keys): Sealed;
  read(tx: Reads, run: Run, sealed: Sealed): Promise<Found>;
  stale(found: Found): boolean;
  addTo(run: Run, sealed: Sealed): Run | undefined;
  write(tx: Writes, found: Sealed & Found): void;
}

export function webhookWith(
  app: App,
  { taskId }: Pick<Run, 'taskId'>,
  { webhook }: SendRequest,
): MessageWebhook {
  const setUp = webhook && setUpWebhook(app, taskId, webhook);
  return {
    objection: (run) => setUp?.objection(run, AT),
    seal: (keys) => ({ hook: setUp?.seal(keys) }),
    read: async (tx, run, { hook }) => ({ foundHook: hook && (await setUp?.read(tx, run, hook)) }),
    stale: ({ foundHook }) => foundHook?.otherKey === true,
    addTo: (run, { hook }) =>
      setUp === undefined || hook === undefined ? run : setUp.addTo(run, hook),
    write(tx, { foundHook, hook }) {
      if (hook !== undefined && foundHook !== undefined) setUp?.write(tx, hook, foundHook);
    },
  };
}
