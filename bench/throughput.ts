import { checkTask, Client } from './client.ts';
import { load, medianRate, type Rate } from './load.ts';
import { number, progress, type Section, short, type Target } from './report.ts';
import { interleaved, start, type SubjectName } from './subject.ts';

interface Case {
  readonly script: { readonly chunks?: number; readonly events?: number };
  /**
   * The peer's time for a task grows with the square of its events; it gets as many as say
   * something.
   */
  readonly calls: Readonly<Record<SubjectName, number>>;
}

const both = (calls: number) => ({ holdfast: calls, sdk: calls });

const eventCases: readonly Case[] = [
  { script: { events: 20 }, calls: both(2_000) },
  { script: { events: 500 }, calls: { holdfast: 500, sdk: 16 } },
];

const cases = (quick: boolean): readonly Case[] => [
  { script: { chunks: 1 }, calls: both(quick ? 1_000 : 4_000) },
  { script: { chunks: 20 }, calls: both(quick ? 400 : 2_000) },
  { script: { chunks: 500 }, calls: { holdfast: quick ? 100 : 500, sdk: quick ? 8 : 16 } },
  ...(quick ? [] : eventCases),
];

/** Whole tasks by blocking sends, each in a context of its own. */
export async function throughput(quick: boolean): Promise<Section> {
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const { script, calls } of cases(quick)) {
    const text = Object.entries(script)
      .map(([word, count]) => `${word}=${count}`)
      .join(' ');
    const found = await interleaved(quick ? 2 : 3, async (name, round) => {
      const rate = await measure(name, text, { script, calls }, quick);
      progress(`${text}, round ${round}, ${name}: ${short(rate.perSecond)} tasks/s`);
      return rate;
    });
    const ours = medianRate(found.get('holdfast') ?? []);
    const theirs = medianRate(found.get('sdk') ?? []);
    const ratio = ours.perSecond / theirs.perSecond;
    rows.push([text, ...cells(ours), ...cells(theirs), short(ratio)]);
    const wanted = wantedRatio(script);
    if (wanted !== undefined)
      targets.push({
        what: `${wanted} times the SDK at ${text}`,
        // On a busy machine a ratio of rates alone can be luck.
        met: ratio >= wanted && !(theirs.cpu / ours.cpu < wanted),
        found: `${short(ratio)} times; ${short(theirs.cpu / ours.cpu)} times by processor time`,
      });
  }
  return {
    title: 'Tasks',
    about:
      'Blocking SendMessage over JSON-RPC on 8 keep-alive connections; median of the rounds, each with a new process over an empty store, warmed up. `chunks` are pieces of one artifact, `events` are status messages; beside them every task publishes SUBMITTED, WORKING and COMPLETED.',
    table: {
      head: ['task', ...columns('holdfast'), ...columns('SDK'), 'ratio of tasks/s'],
      rows,
    },
    targets,
  };
}

async function measure(
  name: SubjectName,
  text: string,
  { script, calls }: Case,
  quick: boolean,
): Promise<Rate> {
  const server = await start(name);
  const client = new Client(server.url);
  try {
    checkTask(await client.send(text), script);
    // Until the compiler has seen everything; short tasks, for the peer's long ones take seconds.
    await load(server.pid, quick ? 500 : 2_000, () => client.send('chunks=1'));
    await load(server.pid, Math.ceil(calls[name] / 8), () => client.send(text));
    return await load(server.pid, calls[name], () => client.send(text));
  } finally {
    client.close();
    await server.stop();
  }
}

function cells({ perSecond, p50, p99, cpu }: Rate): readonly string[] {
  return [short(perSecond), short(p50), number(p99, 1), short(cpu)];
}

function columns(server: string): readonly string[] {
  return [`${server} tasks/s`, 'p50 ms', 'p99 ms', 'CPU ms a task'];
}

function wantedRatio({ chunks, events }: Case['script']): number | undefined {
  if (chunks === 1) return 1.5;
  if (chunks === 20) return 4;
  if (chunks === 500) return 60;
  return events === 500 ? 10 : undefined;
}
