import type { z } from 'zod';
import { eventReceipt } from '../../shared/operator/event-schema.ts';
import { usage } from './cli-error.ts';
import type { Command } from './command.ts';
import { valueOf } from './decide.ts';
import { facts, type View } from './screen/view.ts';

/** Delivers an event to a run. Nothing is asked first: what is delivered is what was typed. */
export const EVENT: Command = {
  name: 'event',
  takes: '<run> <name> [<text or json>]',
  summary: 'delivers an event that a run waits for, or will; what is JSON is given as JSON',
  examples: [`event 98d1831f paid '{"reference":"P-7"}' --id payment-7`],
  options: [
    { name: 'id', value: 'id', help: 'of the event: delivered again under it, it counts once' },
  ],
  async run({ args, client, options }) {
    const [run = '', name = '', text] = args;
    if (run === '' || name === '') throw usage('the id of the run and the name are needed');
    const { id } = options;
    const body = {
      name,
      ...(text !== undefined && { data: valueOf(text) }),
      ...(typeof id === 'string' && { id }),
    };
    const path = `/runs/${encodeURIComponent(run)}/events`;
    const { raw, value } = await client.post(path, body, eventReceipt);
    return { data: raw, text: receiptView(value) };
  },
};

function receiptView({ at, name, number, repeated, run }: z.input<typeof eventReceipt>): View {
  return [
    facts([
      ['delivered', `${name}, event ${number}${repeated ? ' (it was there already)' : ''}`],
      ['run', run],
      ['at', { at, iso: true }],
    ]),
  ];
}
