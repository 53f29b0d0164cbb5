import type { z } from 'zod';
import { secondTry } from '../../shared/operator/try-schemas.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { BULK, bulk, isBulk } from './bulk.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Command, Found, Option, Surroundings } from './command.ts';
import { YES } from './confirm.ts';
import { type Cell, facts, line, section, type View } from './screen/view.ts';
import { plain } from './table.ts';
import { rowView } from './views.ts';

type Try = z.input<typeof secondTry>;

const AGAIN: Option = {
  name: 'again',
  value: 'calls',
  help: 'what must not run twice and may run again: calls or steps, with a comma between; * for all',
};
const REQUEST: Option = {
  name: 'request-id',
  value: 'id',
  help: 'of this request: said again it makes nothing new (default: a new one)',
};

const BEGINS: Readonly<Record<NonNullable<Try['beginsWith']>, string>> = {
  'no-steps': 'it has no steps: the agent does all of it anew',
  'not-kept': 'its steps are not kept in full (audit ceiling): all of it is done anew',
  files: 'its agent has files: all of it is done anew, on the files of the context',
  'too-many': 'it has too many steps to be taken over: all of it is done anew',
};

type Risk = Try['risks'][number];

const riskView = ({ callId, effect, made, name, step }: Risk): string =>
  `${name ?? 'a call'} (${callId}, step ${step}, ${effect}): ${made ? 'it ran' : 'it may have run'}`;

/** What would be taken over, and what would run anew. */
function tryView(found: Try): View {
  const { agent, anew, beginsWith, busy, kept, named, of, risks, steps, unread, waits } = found;
  const again = anew.map(
    ({ effect, kind, name, step }): Cell =>
      `${step} ${kind}${name === undefined ? '' : ` of ${name}`}${effect === undefined ? '' : ` (${effect})`}`,
  );
  return [
    facts([
      ['of', { id: of }],
      ['agent', agent],
      ['waits', waits && `${waits}: it is cancelled, and the new run takes its place`],
      ['kept', beginsWith === undefined ? `${kept} of ${steps} steps` : BEGINS[beginsWith]],
      ['busy', busy === undefined ? undefined : ['not yet: its context works on ', { id: busy }]],
      [
        'unknown',
        unread === 0 ? undefined : `${unread} steps, of which nothing is known: --again '*'`,
      ],
    ]),
    ...(again.length === 0 ? [] : section('not kept', ...again.map((each) => line(each)))),
    ...(risks.length === 0
      ? []
      : section(
          'must not run twice: name it with --again',
          ...risks.map((each) => line(riskView(each))),
        )),
    ...(named.length === 0
      ? []
      : section('runs again, as you say', ...named.map((each) => line(riskView(each))))),
  ];
}

function askedIn({ options }: Surroundings): { readonly again: readonly string[] } {
  const { again } = options;
  return { again: typeof again === 'string' ? again.split(',').map((each) => each.trim()) : [] };
}

async function tryOnce(
  around: Surroundings,
  verb: 'retry' | 'fork',
  more: object,
  question: string,
): Promise<Found> {
  const { args, client, confirm, now, options } = around;
  const [id = ''] = args;
  if (id === '') throw usage('the id of the run is missing, or a filter; `holdfast runs`');
  const path = `/runs/${encodeURIComponent(id)}/${verb}`;
  const asked = { ...askedIn(around), ...more };
  const { raw, value: plan } = await client.post(path, { ...asked, dryRun: true }, secondTry);
  if (options['dry-run'] === true) return { data: raw, text: tryView(plan) };
  // What is refused anyway is left to the words of the API.
  const free = plan.risks.length === 0 && plan.busy === undefined;
  if (free) await confirm({ shown: tryView(plan), question });
  const given = options['request-id'];
  const requestId = typeof given === 'string' ? given : systemIds().uuid();
  try {
    const made = await client.post(path, { ...asked, requestId }, secondTry);
    const { run } = made.value;
    return { data: made.raw, text: run === undefined ? tryView(made.value) : rowView(run, now) };
  } catch (error) {
    if (!(error instanceof CliError) || error.exit !== EXIT.access) throw error;
    const words = `whether it was made is not known; the same with --request-id ${plain(requestId)} finds it, or makes it`;
    throw new CliError(error.exit, error.message, words);
  }
}

function fromIn({ options }: Surroundings): number {
  const from = Number(options['from']);
  if (Number.isSafeInteger(from) && from >= 1) return from;
  throw usage('--from is missing: the number of a step, as `holdfast trail <run>` lists them');
}

/** A second try of what has ended. */
export const TRIES: readonly Command[] = [
  {
    name: 'retry',
    takes: '<run>',
    summary: 'has the work of a failed run go on in a new task, from its last good step',
    examples: [
      'retry 98d1831f --dry-run',
      'retry --reason AGENT_FAILED --since 1h --dry-run',
      'retry 98d1831f --again call-4-1',
    ],
    options: [AGAIN, REQUEST, YES, ...BULK],
    run: (around) =>
      isBulk(around)
        ? bulk(around, 'retry')
        : tryOnce(around, 'retry', {}, 'Have it go on in a new task'),
  },
  {
    name: 'fork',
    takes: '<run>',
    summary: 'has a run that ended, or waits, done anew from a step on, in a new task',
    examples: [
      'fork 98d1831f --from 4',
      "fork 98d1831f --from 1 --edit 'profile: ...'",
      'fork 46747f9b --from 2 --cancel',
    ],
    options: [
      { name: 'from', value: 'step', help: 'the first step that is done anew' },
      { name: 'edit', value: 'text', help: 'what the message says instead that is that step' },
      {
        name: 'cancel',
        help: 'of a run that waits: it is cancelled, and the new one takes its place',
      },
      AGAIN,
      REQUEST,
      { name: 'dry-run', help: 'shows what would be kept, and what would run again' },
      YES,
    ],
    run(around) {
      const { cancel, edit } = around.options;
      const more = {
        from: fromIn(around),
        ...(cancel === true && { cancel }),
        ...(typeof edit === 'string' && { text: edit }),
      };
      return tryOnce(around, 'fork', more, 'Have it done anew in a new task');
    },
  },
];
