import { z } from 'zod';
import { receipt } from '../../shared/operator/receipt-schema.ts';
import { runRow } from '../../shared/operator/run-schemas.ts';
import { timeline } from '../../shared/operator/timeline-schemas.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Found, Surroundings } from './command.ts';
import type { Event } from './events.ts';
import { status } from './screen/looks.ts';
import { type Cell, facts, indent, line, quote, type View } from './screen/view.ts';
import { jsonLine, plain } from './table.ts';
import { askedView, rowView, wordOf } from './views.ts';

type Kind = 'approve' | 'deny' | 'input';

/**
 * Decides about the pause that the options name, or about the one that the run waits in, after it
 * has been shown and a person has said yes. If that pause is over by then, nothing happens.
 */
export async function decide(
  around: Surroundings,
  id: string,
  kind: Kind,
  input?: string,
): Promise<Found> {
  const { client, options } = around;
  const direct = options['direct'] === true;
  const body = {
    kind,
    ...(await pauseOf(around, id, kind)),
    ...(input !== undefined && { input: valueOf(input) }),
    ...(typeof options['note'] === 'string' && { note: options['note'] }),
    mode: direct ? 'direct' : 'stored',
  };
  const path = `/runs/${id}/decisions`;
  if (direct) return follow(around, client.events(path, body));
  const { raw, value } = await client.post(path, body, receipt);
  return { data: raw, text: receiptView(value) };
}

interface Pause {
  readonly pauseGeneration: number;
  readonly digest?: string;
}

async function pauseOf(around: Surroundings, id: string, kind: Kind): Promise<Pause> {
  const { client, options } = around;
  const named = namedBy(options);
  const { digest, pauseGeneration } = named;
  if (pauseGeneration !== undefined && digest !== undefined) return { pauseGeneration, digest };
  const { value: run } = await client.get(`/runs/${id}`, timeline);
  const waits = heldIn(run);
  if (waits === undefined) {
    const words = `the run waits for no decision: it is ${plain(run.status)}; \`holdfast inbox\` shows those that do`;
    throw new CliError(EXIT.refused, words);
  }
  const held = { pauseGeneration: waits.generation, ...digestIn(waits) };
  // The API refuses one of the two that is not the run's.
  if (pauseGeneration !== undefined || digest !== undefined) return { ...held, ...named };
  // The API says what is missing.
  if (!run.may.includes('decide')) return held;
  await around.confirm(
    { shown: heldView(run, waits), question: QUESTION[kind] },
    '--generation',
    String(held.pauseGeneration),
    ...(held.digest === undefined ? [] : ['--digest', held.digest]),
  );
  return held;
}

const QUESTION = {
  approve: 'Approve',
  deny: 'Deny',
  input: 'Put that in',
} as const satisfies Record<Kind, string>;

const digestIn = ({ digest }: { digest?: string | undefined }) =>
  digest === undefined ? {} : { digest };

function namedBy({ digest, generation }: Surroundings['options']): Partial<Pause> {
  if (typeof generation === 'string' && !/^\d+$/.test(generation))
    throw usage('--generation must be a number');
  return {
    ...(typeof generation === 'string' && { pauseGeneration: Number(generation) }),
    ...(typeof digest === 'string' && { digest }),
  };
}

type Run = z.input<typeof timeline>;

type Waits = NonNullable<Run['waitsFor']>;

/** What it waits for, if a person can decide that. */
export function heldIn({ waitsFor }: Run): Waits | undefined {
  return waitsFor?.kind === 'approval' || waitsFor?.kind === 'input' ? waitsFor : undefined;
}

/** What a decision is about, as the inbox shows it. */
export function heldView({ agent, asked, id }: Run, { generation, kind }: Waits): View {
  const what =
    asked === undefined ? [line('(what is asked needs the right view)')] : askedView(asked);
  const head: Cell = { text: `${kind} of ${agent}`, look: 'strong' };
  return [line(head, `, run ${id}, pause ${generation}`), indent(...what)];
}

/** Valid JSON is read as JSON; everything else is text. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function receiptView({ generation, id, kind, run, time }: z.input<typeof receipt>): View {
  return [
    facts([
      ['decided', `${kind}, pause ${generation}`],
      ['run', run],
      ['receipt', id],
      ['at', { at: time, iso: true }],
    ]),
  ];
}

async function follow(
  { json, now, show }: Surroundings,
  events: AsyncIterable<Event>,
): Promise<Found> {
  let last: Found | undefined;
  for await (const event of events) {
    if (event.name === 'error') throw failed(event.data);
    if (json) show(jsonLine({ event: event.name, data: event.data }));
    const found = foundIn(event, now);
    if (event.name === 'rest') last = found;
    else if (!json && found !== undefined) show(found.text);
  }
  if (last !== undefined) return json ? { ...last, data: undefined } : last;
  throw new CliError(EXIT.access, 'the stream ended early; `holdfast run <id>` shows the run');
}

function foundIn({ data, name }: Event, now: number): Found | undefined {
  if (name === 'receipt') {
    const parsed = z.safeEncode(receipt, data as z.output<typeof receipt>);
    return parsed.success ? { data, text: receiptView(parsed.data) } : undefined;
  }
  if (name === 'rest') {
    const parsed = z.safeEncode(runRow, data as z.output<typeof runRow>);
    return parsed.success ? { data, text: rowView(parsed.data, now) } : undefined;
  }
  const parsed = progress.safeParse(data);
  if (name !== 'event' || !parsed.success) return undefined;
  const { artifact, at, kind, message, state } = parsed.data.event;
  if (kind === 'artifact') return { data, text: [line(`artifact ${artifact?.artifactId ?? ''}`)] };
  const words = (message?.parts ?? []).map(wordOf).join(' ');
  const head: readonly Cell[] = [{ at: at ?? now, iso: true }, ' ', stateWords(state ?? '')];
  const text = words.includes('\n')
    ? [line(...head), indent(quote(words))]
    : [line(...head, words === '' ? '' : ` ${words}`)];
  return { data, text };
}

/** A state of a task in the colour of the run's status. */
const stateWords = (state: string): Cell => ({ ...status(state.toLowerCase()), text: state });

const progress = z.object({
  event: z.object({
    kind: z.string(),
    state: z.string().optional(),
    at: z.number().optional(),
    message: z.object({ parts: z.array(z.unknown()) }).optional(),
    artifact: z.object({ artifactId: z.string() }).optional(),
  }),
});

function failed(data: unknown): CliError {
  const parsed = z.object({ error: z.object({ message: z.string() }) }).safeParse(data);
  const words = parsed.success ? plain(parsed.data.error.message) : 'it failed';
  return new CliError(EXIT.refused, `${words} \`holdfast run <id>\` shows what became of it`);
}
