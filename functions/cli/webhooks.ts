import type { z } from 'zod';
import { parkedPage, redeliveredWebhook } from '../../shared/operator/webhook-schemas.ts';
import type { Command } from './command.ts';
import { usage } from './cli-error.ts';
import { YES } from './confirm.ts';
import { facts, plain, spanOf, table } from './table.ts';

type Page = z.input<typeof parkedPage>;

function pageView({ more, webhooks }: Page, now: number): string {
  if (webhooks.length === 0) return 'no webhook is parked';
  const rows = webhooks.map(({ after, agent, failures, id, reason, since }) => [
    plain(id),
    plain(agent),
    `${plain(reason)}, ${failures} times`,
    `event ${after + 1}`,
    `${spanOf(now - since)} ago`,
  ]);
  const list = table(['webhook', 'agent', 'last attempt', 'waits with', 'parked'], rows);
  return more ? `${list}\n\n... and more` : list;
}

/** Webhooks of callers that took nothing for a day, and telling them again. */
export const WEBHOOKS: readonly Command[] = [
  {
    name: 'webhooks',
    summary: 'webhooks of callers that were given up, newest first',
    watchable: true,
    async run({ client, now }) {
      const { raw, value } = await client.get('/webhooks?limit=100', parkedPage);
      return { data: raw, text: pageView(value, now) };
    },
  },
  {
    name: 'redeliver',
    takes: '<webhook>',
    summary: 'has a webhook told again, from the event on at which it was given up',
    options: [YES],
    async run({ args, client, confirm, now }) {
      const [id = ''] = args;
      if (id === '') throw usage('the id of the webhook is missing');
      const { value: page } = await client.get('/webhooks?limit=100', parkedPage);
      const webhooks = page.webhooks.filter((each) => each.id === id);
      // One that is not there is left to the words of the API.
      if (webhooks.length > 0)
        await confirm({
          shown: pageView({ webhooks, more: false }, now),
          question: 'Tell it again',
        });
      const path = `/webhooks/${encodeURIComponent(id)}/redeliver`;
      const { raw, value } = await client.post(path, {}, redeliveredWebhook);
      const told = facts([
        ['webhook', plain(value.webhook)],
        ['run', value.run],
      ]);
      return { data: raw, text: told };
    },
  },
];
