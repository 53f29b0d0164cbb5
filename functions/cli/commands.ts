import type { z } from 'zod';
import { inboxResponse } from '../../shared/operator/inbox-schemas.ts';
import { runPage, runRow } from '../../shared/operator/run-schemas.ts';
import { sendResponse } from '../../shared/operator/send-schemas.ts';
import { statusResponse } from '../../shared/operator/status-schemas.ts';
import { timeline } from '../../shared/operator/timeline-schemas.ts';
import { usage } from './cli-error.ts';
import type { Command, Found, Option, Surroundings } from './command.ts';
import { YES } from './confirm.ts';
import type { View } from './screen/view.ts';
import { BULK, bulk, isBulk } from './bulk.ts';
import { asQuery, LISTING, queryOf, RUN_FILTERS } from './filters.ts';
import { SCHEDULE } from './schedule.ts';
import { TRIES } from './tries.ts';
import { confirmCancel, confirmContinue, confirmSend } from './confirm-act.ts';
import { CONSOLE } from './console.ts';
import { approveNext } from './approve-next.ts';
import { NUMBERS_COMMANDS } from './costs.ts';
import { decide } from './decide.ts';
import { AUDIT } from './audit.ts';
import { AGENTS } from './agents.ts';
import { COMPLETION } from './completion.ts';
import { DOCTOR } from './doctor.ts';
import { EVAL } from './eval.ts';
import { EVENT } from './event.ts';
import { KEYS } from './keys.ts';
import { REMOTES } from './remotes.ts';
import { LOGS } from './logs.ts';
import { runView } from './run-view.ts';
import { NOTICES } from './notices.ts';
import { stepsView, TRAIL, trailOf } from './trail.ts';
import { WEBHOOKS } from './webhooks.ts';
import { inboxView, rowView, RUN_COLUMNS, runsView, sendView, statusView } from './views.ts';

function argument({ args }: Surroundings, at: number, what: string): string {
  const value = args[at];
  if (value === undefined || value === '') throw usage(`${what} is missing`);
  return encodeURIComponent(value);
}

/** A command that shows what one path answers. */
async function shown<A extends z.ZodType>(
  { client }: Surroundings,
  path: string,
  answer: A,
  view: (found: z.input<A>) => View,
): Promise<Found> {
  const { raw, value } = await client.get(path, answer);
  return { data: raw, text: view(value) };
}

const DECIDING: readonly Option[] = [
  { name: 'direct', help: 'carries it out at once, and shows the progress' },
  {
    name: 'generation',
    value: 'number',
    help: 'of the pause that is meant (default: the one it waits in, which is shown first)',
  },
  {
    name: 'digest',
    value: 'digest',
    help: 'of the turn that is meant (default: the one that is held, which is shown first)',
  },
  YES,
];

const send = (name: string, summary: string, takes = '<send>', question?: string): Command => ({
  name,
  takes,
  summary,
  examples: [`${name} 4a321bb8.28b045de${name === 'link' ? ' task-at-the-remote' : ''}`],
  ...(question !== undefined && { options: [YES, ...BULK] }),
  async run(around) {
    if ((name === 'resend' || name === 'abandon') && isBulk(around)) return bulk(around, name);
    const id = argument(around, 0, 'the id of the send');
    if (question !== undefined) await confirmSend(around, id, question);
    const body =
      name === 'link' ? { taskId: decodeURIComponent(argument(around, 1, 'the remote task')) } : {};
    const { raw, value } = await around.client.post(`/sends/${id}/${name}`, body, sendResponse);
    return { data: raw, text: sendView(value) };
  },
});

/** Every command that asks the operators' API. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'status',
    summary: 'numbers of the whole installation',
    examples: ['status --watch --interval 10'],
    watchable: true,
    run: (around) => shown(around, '/status', statusResponse, statusView),
  },
  {
    name: 'runs',
    summary: 'runs, newest change first unless you sort them',
    options: [...RUN_FILTERS, ...LISTING],
    columns: RUN_COLUMNS,
    watchable: true,
    examples: [
      'runs --status failed --since 1h',
      'runs --agent assistant --columns run,status,changed,reason',
      'runs --watch',
    ],
    run: (around) =>
      shown(around, `/runs${asQuery(queryOf(around))}`, runPage, (page) =>
        runsView(page, around.now),
      ),
  },
  {
    name: 'run',
    takes: '<run>',
    summary: 'one run, and everything that led to where it is',
    examples: ['run 98d1831f', 'run 98d1831f --content'],
    options: [
      { name: 'content', help: 'with what was said, called and answered, if you may see it' },
    ],
    watchable: true,
    async run(around) {
      const id = argument(around, 0, 'the id of the run');
      const content = around.options['content'] === true;
      const { raw, value } = await around.client.get(`/runs/${id}`, timeline);
      const trail = content ? await trailOf(around, decodeURIComponent(id)) : undefined;
      const steps = trail && stepsView(trail.value);
      return { data: raw, text: runView(value, around.now, content, steps) };
    },
  },
  TRAIL,
  LOGS,
  {
    name: 'inbox',
    summary: 'what waits for you, longest first',
    examples: ['inbox --watch', 'inbox --json'],
    watchable: true,
    run: (around) =>
      shown(around, '/inbox', inboxResponse, (found) => inboxView(found, around.now)),
  },
  {
    name: 'approve',
    takes: '<run>',
    summary: 'lets a run do what it asks to',
    examples: ['approve 98d1831f', 'approve 98d1831f --direct', 'approve --next'],
    options: [
      { name: 'next', help: 'asks about each run of the inbox in turn, longest wait first' },
      ...DECIDING,
    ],
    async run(around) {
      if (around.options['next'] !== true)
        return decide(around, argument(around, 0, 'the id of the run'), 'approve');
      const others = [...around.args, ...DECIDING.filter(({ name }) => around.options[name])];
      if (others.length > 0) throw usage('--next goes with no run and no other option of approve');
      return approveNext(around);
    },
  },
  {
    name: 'deny',
    takes: '<run>',
    summary: 'does not let it; the run goes on without',
    examples: ['deny 98d1831f', "deny 98d1831f --note 'Ask for the invoice first.'"],
    options: [
      { name: 'note', value: 'text', help: 'why: its model is told, and may go by it' },
      ...DECIDING,
    ],
    run: (around) => decide(around, argument(around, 0, 'the id of the run'), 'deny'),
  },
  {
    name: 'input',
    takes: '<run> <text or json>',
    summary: 'gives a run what it asks for; what is JSON is given as JSON',
    examples: [`input 98d1831f '{"euros":120}'`, "input 98d1831f 'by train'"],
    options: DECIDING,
    run: (around) =>
      decide(
        around,
        argument(around, 0, 'the id of the run'),
        'input',
        decodeURIComponent(argument(around, 1, 'what is put in')),
      ),
  },
  EVENT,
  send(
    'resend',
    'sends a message again whose outcome is not known; it may then arrive twice',
    '<send>',
    'Send it again, although it may then arrive twice',
  ),
  send('link', 'says which task at the remote agent came of it', '<send> <remote task>'),
  send(
    'abandon',
    'gives it up; the run goes on without its answer',
    '<send>',
    'Give it up, so that the run goes on without its answer',
  ),
  {
    name: 'continue',
    takes: '<run>',
    summary: 'lets a blocked run go on with what there is now',
    examples: ['continue 98d1831f'],
    options: [
      {
        name: 'digest',
        value: 'digest',
        help: 'of the changes that are meant (default: those that block it, which are shown first)',
      },
      YES,
    ],
    async run(around) {
      const id = argument(around, 0, 'the id of the run');
      const body = { digest: await confirmContinue(around, id) };
      const { raw, value } = await around.client.post(`/runs/${id}/continue`, body, runRow);
      return { data: raw, text: rowView(value, around.now) };
    },
  },
  {
    name: 'cancel',
    takes: '<run>',
    summary: 'cancels an open run, whatever it does or waits for',
    examples: ['cancel 98d1831f', 'cancel --agent assistant --status queued --dry-run'],
    options: [YES, ...BULK],
    async run(around) {
      if (isBulk(around)) return bulk(around, 'cancel');
      const id = argument(around, 0, 'the id of the run');
      await confirmCancel(around, id);
      const { raw, value } = await around.client.post(`/runs/${id}/cancel`, {}, runRow);
      return { data: raw, text: rowView(value, around.now) };
    },
  },
  ...NUMBERS_COMMANDS,
  ...TRIES,
  EVAL,
  ...WEBHOOKS,
  NOTICES,
  ...AGENTS,
  SCHEDULE,
  ...REMOTES,
  KEYS,
  AUDIT,
  CONSOLE,
  DOCTOR,
  COMPLETION,
];
