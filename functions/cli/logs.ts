import type { z } from 'zod';
import { timeline } from '../../shared/operator/timeline-schemas.ts';
import { trail } from '../../shared/operator/trail-schemas.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { logData, logLines, logView } from './log-lines.ts';
import { line } from './screen/view.ts';
import { jsonLine, plain } from './table.ts';
import type { Step } from './trail.ts';
import { waitOf } from './views.ts';

type Run = z.input<typeof timeline>;
type Page = z.input<typeof trail>;

/** Between two looks, in milliseconds. */
const LOOK = 1_000;
/** Of statuses that a run ends with, the one that is what was wanted. */
const DONE = 'completed';

/** What happened to a run, line by line, and as it happens. */
export const LOGS: Command = {
  name: 'logs',
  takes: '<run>',
  summary: 'what happened to a run, a line for each thing',
  ends: 'With --follow it ends with 1 if the run did not complete.',
  options: [
    {
      name: 'follow',
      help: 'goes on as it happens, over a server that is away for a while, until the run ends',
    },
    { name: 'content', help: 'with what was said, called and answered, if you may see it' },
  ],
  examples: ['logs 98d1831f', 'logs 98d1831f --follow', 'logs 98d1831f --json'],
  async run(around) {
    const [id = ''] = around.args;
    if (id === '') throw usage('the id of the run is missing');
    const seen = new Set<string>();
    const first = await look(around, id, 0);
    tell(around, first, seen);
    if (around.options['follow'] !== true) return ended(around, first.run);
    return ended(around, await follow(around, first, seen));
  },
};

interface Looked {
  readonly run: Run;
  readonly steps: readonly Step[];
}

/** The run, and its steps behind those that were shown. */
async function look(around: Surroundings, id: string, after: number): Promise<Looked> {
  const path = `/runs/${encodeURIComponent(id)}`;
  const { value: run } = await around.client.get(path, timeline);
  const steps: Step[] = [];
  let from: number | undefined = after + 1;
  while (from !== undefined) {
    const page: Page = (await around.client.get(`${path}/trail?limit=200&from=${from}`, trail))
      .value;
    steps.push(...page.steps);
    from = page.next;
  }
  return { run, steps };
}

function tell(
  { json, options, show }: Surroundings,
  { run, steps }: Looked,
  seen: Set<string>,
): void {
  for (const each of logLines(run, steps, options['content'] === true)) {
    if (seen.has(each.key)) continue;
    seen.add(each.key);
    show(json ? jsonLine(logData(each)) : logView(each));
  }
}

/** The run as it ended, or as it was when the command was ended. */
async function follow(around: Surroundings, first: Looked, seen: Set<string>): Promise<Run> {
  const { terminal } = around;
  let { run } = first;
  let shown = lastOf(first.steps, 0);
  let away = false;
  while (run.open && !terminal.ended()) {
    await terminal.pause(LOOK);
    if (terminal.ended()) break;
    try {
      const looked = await look(around, run.id, shown);
      ({ run } = looked);
      if (away) terminal.error('holdfast: the server is back\n');
      away = false;
      tell(around, looked, seen);
      shown = lastOf(looked.steps, shown);
    } catch (error) {
      if (terminal.ended()) break;
      // What was said so far is told; nothing that happens meanwhile is lost.
      if (!(error instanceof CliError) || error.exit !== EXIT.access) throw error;
      if (!away) terminal.error(`holdfast: ${plain(error.message)}; trying again\n`);
      away = true;
    }
  }
  return run;
}

const lastOf = (steps: readonly Step[], shown: number): number => steps.at(-1)?.n ?? shown;

function ended({ json, now, options }: Surroundings, run: Run): Found {
  const follows = options['follow'] === true;
  const exit = follows && !run.open && run.status !== DONE ? EXIT.refused : 0;
  if (json) return { data: undefined, text: '', exit };
  const rest = run.open ? waitOf(run, now) : (run.reason ?? '');
  const words = `the run is ${run.status}${rest === '' ? '' : `: ${rest}`}`;
  return { data: undefined, text: [line(words)], exit };
}
