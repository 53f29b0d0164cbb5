import type { z } from 'zod';
import { apiKey, apiKeyPage, madeApiKey } from '../../shared/operator/api-key-schemas.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { YES } from './confirm.ts';
import { apart, type Cell, type Column, facts, line, table, type View } from './screen/view.ts';
import { plain, timeOf } from './table.ts';
import { more } from './views.ts';

type Key = z.input<typeof apiKey>;

const COLUMNS: readonly Column[] = [
  { name: 'key', fixed: true },
  { name: 'owner' },
  { name: 'tenant' },
  { name: 'state' },
  { name: 'made', fixed: true },
  { name: 'label' },
];

/** API keys of callers: lists, makes and revokes them. */
export const KEYS: Command = {
  name: 'keys',
  takes: '[<make or revoke> [<key>]]',
  summary: 'API keys of callers: lists them, makes one, or revokes one',
  columns: COLUMNS,
  examples: [
    'keys',
    'keys make --owner ada@example.com --label laptop',
    'keys revoke a9bf99e340d3a592',
  ],
  options: [
    { name: 'owner', value: 'name', help: 'make: who calls with it, the owner of its tasks' },
    { name: 'tenant', value: 'name', help: 'make: the tenant that it works in (default: none)' },
    { name: 'label', value: 'text', help: 'make: what you call it' },
    { name: 'days', value: 'number', help: 'make: it expires after so many (default: never)' },
    { name: 'cursor', value: 'cursor', help: 'list: goes on where a page ended' },
    YES,
  ],
  run(around) {
    const [what = 'list'] = around.args;
    if (what === 'list') return list(around);
    if (what === 'make') return make(around);
    if (what === 'revoke') return revoke(around);
    throw usage(`keys ${what} is nothing; there are list, make and revoke`);
  },
};

async function list({ client, now, options }: Surroundings): Promise<Found> {
  const { cursor } = options;
  const query = typeof cursor === 'string' ? `?cursor=${encodeURIComponent(cursor)}` : '';
  const { raw, value } = await client.get(`/keys${query}`, apiKeyPage);
  const rows = value.keys.map((key): readonly Cell[] => [
    key.id,
    key.owner,
    key.tenant,
    stateOf(key, now),
    { at: key.createdAt, iso: true },
    key.label,
  ]);
  const none = 'no keys; `holdfast keys make --owner <name>` makes one';
  const list = table({ columns: COLUMNS, rows, none });
  return { data: raw, text: [apart([list], more(value.cursor))] };
}

async function make({ client, now, options }: Surroundings): Promise<Found> {
  const { days, label = '', owner, tenant = '' } = options;
  if (typeof owner !== 'string') throw usage('--owner is missing: who calls with the key');
  const number = Number(days);
  if (days !== undefined && !Number.isSafeInteger(number)) throw usage('--days must be a number');
  const body = { owner, tenant, label, ...(days !== undefined && { days: number }) };
  const { raw, value } = await client.post('/keys', body, madeApiKey);
  const words = 'This is shown once. Callers send it as the header X-API-Key.';
  return { data: raw, text: [apart(view(value.key, now), [line(value.text)], [line(words)])] };
}

async function revoke({ args, client, confirm, now }: Surroundings): Promise<Found> {
  const given = args[1];
  if (given === undefined || given === '')
    throw usage('the id of the key is missing; `holdfast keys`');
  const id = await wholeKey(client, given);
  const shown = [facts([['key', id]])];
  await confirm({ shown, question: 'Revoke it, so that it lets no one in any more' });
  const { raw, value } = await client.post(`/keys/${encodeURIComponent(id)}/revoke`, {}, apiKey);
  return { data: raw, text: view(value, now) };
}

const KEY = /^[0-9a-f]{16}$/;

/** The key that begins so, of the newest; what none of these does is left to the API. */
async function wholeKey(client: Surroundings['client'], given: string): Promise<string> {
  if (KEY.test(given)) return given;
  const { value } = await client.get('/keys', apiKeyPage);
  const meant = value.keys.filter(({ id }) => id.startsWith(given));
  if (meant.length < 2) return meant[0]?.id ?? given;
  const candidates = meant.map(({ id, label }) => `  ${id} ${plain(label)}`).join('\n');
  throw new CliError(EXIT.usage, `${given} is the beginning of several keys`, candidates);
}

function view(key: Key, now: number): View {
  return [
    facts([
      ['key', key.id],
      ['owner', key.owner],
      ['tenant', key.tenant === '' ? undefined : key.tenant],
      ['label', key.label === '' ? undefined : key.label],
      ['state', stateOf(key, now)],
    ]),
  ];
}

function stateOf({ expiresAt, revokedAt }: Key, now: number): string {
  if (revokedAt !== undefined) return `revoked ${timeOf(revokedAt)}`;
  if (expiresAt === undefined) return 'valid';
  return expiresAt <= now ? `expired ${timeOf(expiresAt)}` : `valid until ${timeOf(expiresAt)}`;
}
