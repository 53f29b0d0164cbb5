import type { z } from 'zod';
import { parkedPage, redeliveredWebhook } from '../../shared/operator/webhook-schemas.ts';
import type { Command } from './command.ts';
import { usage } from './cli-error.ts';
import { YES } from './confirm.ts';
import { apart, type Cell, type Column, facts, line, table, type View } from './screen/view.ts';

type Page = z.input<typeof parkedPage>;

const COLUMNS: readonly Column[] = [
  { name: 'webhook', fixed: true },
  { name: 'agent' },
  { name: 'reason', heading: 'last attempt' },
  { name: 'event', heading: 'waits with' },
  { name: 'parked', fixed: true },
];

function pageView({ more, webhooks }: Page): View {
  const rows = webhooks.map(({ after, agent, failures, id, reason, since }): readonly Cell[] => [
    { id },
    agent,
    `${reason}, ${failures} times`,
    { text: `event ${after + 1}`, sort: after },
    { at: since },
  ]);
  const list = table({ columns: COLUMNS, rows, none: 'no webhook is parked' });
  return [apart([list], more ? [line('... and more')] : [])];
}

/** Webhooks of callers that took nothing for a day, and telling them again. */
export const WEBHOOKS: readonly Command[] = [
  {
    name: 'webhooks',
    summary: 'webhooks of callers that were given up, newest first',
    examples: ['webhooks', 'webhooks --columns webhook,reason'],
    watchable: true,
    columns: COLUMNS,
    async run({ client }) {
      const { raw, value } = await client.get('/webhooks?limit=100', parkedPage);
      return { data: raw, text: pageView(value) };
    },
  },
  {
    name: 'redeliver',
    takes: '<webhook>',
    summary: 'has a webhook told again, from the event on at which it was given up',
    examples: ['redeliver 98d1831f.my-webhook'],
    options: [YES],
    async run({ args, client, confirm }) {
      const [id = ''] = args;
      if (id === '') throw usage('the id of the webhook is missing');
      const { value: page } = await client.get('/webhooks?limit=100', parkedPage);
      const webhooks = page.webhooks.filter((each) => each.id === id);
      // One that is not there is left to the words of the API.
      if (webhooks.length > 0)
        await confirm({
          shown: pageView({ webhooks, more: false }),
          question: 'Tell it again',
        });
      const path = `/webhooks/${encodeURIComponent(id)}/redeliver`;
      const { raw, value } = await client.post(path, {}, redeliveredWebhook);
      const told = facts([
        ['webhook', value.webhook],
        ['run', value.run],
      ]);
      return { data: raw, text: [told] };
    },
  },
];
