import { checkAlike } from './alike.ts';
import { Client, resultOf } from './client.ts';
import { load, medianRate, type Rate } from './load.ts';
import { number, progress, type Section, short, type Target } from './report.ts';
import { type Running, SUBJECTS, type SubjectName, withBoth } from './subject.ts';

type Call = 'GetTask' | 'ListTasks';
const FIRST_PAGE = { pageSize: 50 };

/** Reading with more and more tasks stored. */
export async function reading(quick: boolean): Promise<Section> {
  const sizes = quick ? [100, 1_000] : [100, 1_000, 10_000];
  const rows: string[][] = [];
  const lists: Rate[] = [];
  const level: Target[] = [];
  await withBoth(async (servers) => {
    const ids = new Map<SubjectName, string[]>(SUBJECTS.map((name) => [name, []]));
    for (const size of sizes) {
      for (const [name, server] of servers) await fill(server, ids.get(name) ?? [], size);
      const bytes = await checkAlike([...servers.values()], 'ListTasks', FIRST_PAGE);
      progress(`a page of ${size} tasks: ${bytes.map((each) => number(each)).join(', ')} bytes`);
      for (const call of ['GetTask', 'ListTasks'] as const) {
        const found = new Map<SubjectName, Rate[]>(SUBJECTS.map((name) => [name, []]));
        for (let round = 1; round <= (quick ? 1 : 4); round += 1) {
          for (const [name, server] of servers) {
            found.get(name)?.push(await measure(server, call, ids.get(name) ?? [], quick));
          }
        }
        const rates = SUBJECTS.map((name) => medianRate(found.get(name) ?? []));
        progress(`${call} of ${size}: ${rates.map((rate) => short(rate.perSecond)).join(', ')}/s`);
        rows.push([`${call}, ${number(size)} tasks`, ...rates.flatMap(cells)]);
        const [ours, theirs] = rates;
        if (call === 'ListTasks' && ours !== undefined) lists.push(ours);
        if (size === 100 && ours !== undefined && theirs !== undefined) {
          level.push({
            what: `${call} is at least level with the SDK at 100 tasks`,
            met: ours.cpu <= theirs.cpu,
            found: `${short(ours.cpu / theirs.cpu)} times its processor time`,
          });
        }
      }
    }
  });
  const slower = (lists.at(-1)?.cpu ?? Number.NaN) / (lists[0]?.cpu ?? Number.NaN);
  return {
    title: 'Reading',
    about:
      'GetTask of random tasks, and the first ListTasks page of 50, on 8 connections, of tasks with one artifact, all of one caller; both servers filled alike. Their pages hold the same fields and words, which is checked before each size, and are the same length but for a hundredth. Both are warmed up by as many calls as are measured: compilers are still at work for some five hundred pages.',
    table: {
      head: ['call', ...columns('holdfast'), ...columns('SDK')],
      rows,
    },
    targets: [
      ...level,
      {
        what: `ListTasks is no slower with ${number(sizes.at(-1) ?? 0)} tasks than with 100`,
        met: slower <= 1.2,
        found: `${short(slower)} times the processor time`,
      },
    ],
  };
}

async function fill(server: Running, ids: string[], size: number): Promise<void> {
  const client = new Client(server.url);
  progress(`${server.name}: filling up to ${size} tasks`);
  const missing = size - ids.length;
  await load(server.pid, missing, async () => ids.push((await client.send('chunks=1')).id));
  client.close();
}

async function measure(
  server: Running,
  call: Call,
  ids: readonly string[],
  quick: boolean,
): Promise<Rate> {
  const client = new Client(server.url);
  const one = (): Promise<string> => {
    if (call === 'ListTasks') return client.call(call, FIRST_PAGE);
    return client.call(call, { id: ids[Math.floor(Math.random() * ids.length)] ?? '' });
  };
  try {
    resultOf(await one());
    const calls = (call === 'GetTask' ? 1_500 : 400) / (quick ? 2 : 1);
    await load(server.pid, calls, one);
    return await load(server.pid, calls, one);
  } finally {
    client.close();
  }
}

function columns(server: string): readonly string[] {
  return [`${server} calls/s`, 'p50 ms', 'p99 ms', 'CPU ms a call'];
}

function cells({ perSecond, p50, p99, cpu }: Rate): readonly string[] {
  return [short(perSecond), short(p50), number(p99, 1), short(cpu)];
}
