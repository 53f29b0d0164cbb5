import { inboxResponse } from '../../shared/operator/inbox-schemas.ts';
import { me } from '../../shared/operator/me-operation.ts';
import { runPage } from '../../shared/operator/run-schemas.ts';
import { parkedPage } from '../../shared/operator/webhook-schemas.ts';
import { SHOWN_STATUSES } from '../../shared/app/operators/run-filter.ts';
import { MAINTENANCE } from '../operate/maintenance.ts';
import { accessFrom } from './access.ts';
import { OperatorApi } from './client.ts';
import type { Command, Option } from './command.ts';
import { SHELLS } from './completion-scripts.ts';
import { COMMANDS } from './commands.ts';
import { optionsOf } from './help.ts';
import { PROGRAMS } from './programs.ts';
import { COLOURS } from './screen/looks.ts';
import type { Terminal } from './terminal.ts';

/** What may stand at a place of the command line, and a word on it. */
interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** A person who presses Tab waits no longer than this, in milliseconds. */
const PATIENCE = 1_000;
/** Others are not offered: a shell takes a candidate for a word of its own language. */
const SAFE = /^[\w.@:+=~,-]+$/;

type Source = (client: OperatorApi) => Promise<readonly Candidate[]>;

/**
 * Candidates for the last of these words, the one at the cursor: a line for each, with a tab before
 * what is said of it. What can't be found out in time is left out, and nothing is ever said wrong.
 */
export async function complete(words: readonly string[], terminal: Terminal): Promise<string> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const all = await candidates(before, current, terminal);
  const fit = all.filter(({ word }) => word.startsWith(current) && SAFE.test(word));
  return fit
    .map(({ about, word }) => `${word}${about === undefined ? '' : `\t${about}`}\n`)
    .join('');
}

async function candidates(
  before: readonly string[],
  current: string,
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  const [name] = before;
  if (name === undefined) return commands();
  if (name === 'help') return commands();
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) return [];
  const options = optionsOf(command);
  const last = before.at(-1) ?? '';
  const open = options.find((each) => `--${each.name}` === last && each.value !== undefined);
  if (open !== undefined) return valuesOf(open, command, current, terminal);
  if (current.startsWith('-'))
    return options.map(({ help, name: option }) => ({ word: `--${option}`, about: help }));
  const place = positionOf(before.slice(1), options);
  const wanted = command.takes?.match(/<[^>]+>/g)?.[place]?.slice(1, -1);
  if (wanted === undefined) return [];
  const source = sourceOf(command, wanted);
  return source === undefined ? wordsOf(wanted) : asked(source, terminal);
}

const commands = (): readonly Candidate[] => [
  ...[...COMMANDS, ...PROGRAMS].map(({ name, summary }) => ({ word: name, about: summary })),
  ...MAINTENANCE.map((word) => ({ word })),
  { word: 'help', about: 'shows what there is, or the options of a command' },
];

/**
 * `<make or revoke>` names what may stand there; other places have values that only people know.
 */
const wordsOf = (wanted: string): readonly Candidate[] =>
  /^[a-z]+(?:(?:, | or )[a-z]+)+$/.test(wanted)
    ? wanted.split(/, | or /).map((word) => ({ word }))
    : [];

/** How many arguments stand before; options and their values are none. */
function positionOf(before: readonly string[], options: readonly Option[]): number {
  const takesNext = (word: string | undefined): boolean =>
    options.some(({ name, value }) => word === `--${name}` && value !== undefined);
  return before.filter((word, at) => !word.startsWith('-') && !takesNext(before[at - 1])).length;
}

const STATUSES: readonly string[] = [...SHOWN_STATUSES, 'open', 'ended'];

function valuesOf(
  { name, value = '' }: Option,
  { columns = [] }: Command,
  current: string,
  terminal: Terminal,
): Promise<readonly Candidate[]> | readonly Candidate[] {
  const among = (words: readonly string[]) => words.map((word) => ({ word }));
  const done = current.slice(0, current.lastIndexOf(',') + 1);
  switch (name) {
    case 'agent':
      return asked(agents, terminal);
    case 'status':
      return among(STATUSES);
    case 'color':
      return among(COLOURS);
    case 'order':
      return among(['asc', 'desc']);
    case 'columns':
      return columns.map((column) => ({ word: `${done}${column.name}` }));
    case 'sort':
      return value === 'column'
        ? columns.map((column) => ({ word: column.name }))
        : among(['changed', 'started', 'age', 'cost', 'status']);
    default:
      return [];
  }
}

const DECIDING: Readonly<Record<string, string>> = {
  approve: 'approval',
  deny: 'approval',
  input: 'input',
};

function sourceOf({ name }: Command, wanted: string): Source | undefined {
  if (wanted === 'run') return name in DECIDING ? held(DECIDING[name]) : runs;
  return { send: sends, webhook: webhooks, agent: agents, shell: shells }[wanted];
}

const shells: Source = () => Promise.resolve(SHELLS.map((word) => ({ word })));

const runs: Source = async (client) => {
  const { value } = await client.get('/runs?limit=50', runPage);
  return value.runs.map(({ agent, id, status }) => ({ word: id, about: `${agent} ${status}` }));
};

const held =
  (kind: string | undefined): Source =>
  async (client) => {
    const { value } = await client.get('/inbox', inboxResponse);
    return value.decisions
      .filter((each) => each.kind === kind)
      .map(({ agent, id }) => ({ word: id, about: agent }));
  };

const sends: Source = async (client) => {
  const { value } = await client.get('/inbox', inboxResponse);
  return value.sends.map(({ id, remote }) => ({ word: id, about: remote }));
};

const webhooks: Source = async (client) => {
  const { value } = await client.get('/webhooks?limit=100', parkedPage);
  return value.webhooks.map(({ agent, id }) => ({ word: id, about: agent }));
};

const agents: Source = async (client) => {
  const { value } = await client.get('/me', me);
  return value.agents.map(({ name }) => ({ word: name }));
};

/** Nothing where the server is away, slow, or refuses; a command that prints a token is not run. */
async function asked(source: Source, terminal: Terminal): Promise<readonly Candidate[]> {
  const environment = { ...terminal.environment, HOLDFAST_TOKEN_COMMAND: '' };
  const over = new AbortController();
  const client = new OperatorApi(
    () => accessFrom({}, environment),
    (url, init) => terminal.request(url, { ...init, signal: over.signal }),
  );
  const late = terminal.pause(PATIENCE).then(() => {
    over.abort();
    return [];
  });
  try {
    return await Promise.race([source(client), late]);
  } catch {
    return [];
  }
}
