import { checkTask, Client } from './client.ts';
import { median } from './load.ts';
import { workOf } from './machine.ts';
import { kilobytes, number, progress, type Section, short } from './report.ts';
import { type Running, SUBJECTS, withBoth } from './subject.ts';

interface Cost {
  readonly milliseconds: number;
  readonly cpu: number;
  readonly written: number;
}

/**
 * One task at a time, longer and longer: does its cost grow with its events, or with their square?
 */
export async function growth(quick: boolean): Promise<Section> {
  const sizes = quick ? [100, 500, 1_000] : [100, 500, 1_000, 2_000];
  const ours = new Map<string, Cost>();
  const rows: string[][] = [];
  await withBoth(async (servers) => {
    for (const pace of ['', ' delay=1']) {
      for (const events of sizes) {
        const cells: string[] = [];
        for (const name of SUBJECTS) {
          const server = servers.get(name);
          if (server === undefined) continue;
          const cost = await measure(server, events, pace, quick ? 1 : 2);
          progress(`events=${events}${pace}, ${name}: ${number(cost.milliseconds)} ms`);
          if (name === 'holdfast') ours.set(`${events}${pace}`, cost);
          cells.push(number(cost.milliseconds), number(cost.cpu), kilobytes(cost.written));
        }
        rows.push([`events=${events}${pace}`, ...cells]);
      }
    }
  });
  const most = sizes.at(-1) ?? 0;
  return {
    title: 'Growth',
    about:
      'One task of so many status messages, by a blocking send. As fast as the agent can make them, Holdfast gathers them into few commits; with `delay=1` they come about a millisecond apart, so that commits and pages really come into play. "Written" is what the process handed to the system for files: database, log and objects, the answer not counted.',
    table: {
      head: ['task', ...columns('holdfast'), ...columns('SDK')],
      rows,
    },
    targets: [
      linear('processor time', ours, '', most, (cost) => cost.cpu),
      linear('bytes written', ours, '', most, (cost) => cost.written),
      linear('processor time', ours, ' delay=1', most, (cost) => cost.cpu),
      linear('bytes written', ours, ' delay=1', most, (cost) => cost.written),
    ],
  };
}

async function measure(
  server: Running,
  events: number,
  pace: string,
  tasks: number,
): Promise<Cost> {
  const client = new Client(server.url);
  const costs: Cost[] = [];
  try {
    await client.send('events=50');
    for (let task = 0; task < tasks; task += 1) {
      const before = workOf(server.pid);
      const received = client.received;
      const began = performance.now();
      checkTask(await client.send(`events=${events}${pace}`), { events });
      const milliseconds = performance.now() - began;
      // What follows an answer (the archive) belongs to the task, too.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const after = workOf(server.pid);
      const answered = client.received - received;
      const written = after.written - before.written - answered;
      costs.push({ milliseconds, cpu: after.cpu - before.cpu, written });
    }
  } finally {
    client.close();
  }
  const of = (figure: (cost: Cost) => number): number => median(costs.map(figure));
  return {
    milliseconds: of((cost) => cost.milliseconds),
    cpu: of((cost) => cost.cpu),
    written: of((cost) => cost.written),
  };
}

function columns(server: string): readonly string[] {
  return [`${server} ms`, 'CPU ms', 'KB written'];
}

/** From 500 events on, so that what each task costs once does not hide the slope. */
function linear(
  what: string,
  costs: ReadonlyMap<string, Cost>,
  pace: string,
  most: number,
  figure: (cost: Cost) => number,
) {
  const at = (events: number): number => {
    const cost = costs.get(`${events}${pace}`);
    return cost === undefined ? Number.NaN : figure(cost) / events;
  };
  const slope = at(most) / at(500);
  return {
    what: `${what} of events=N${pace} grow no faster than N`,
    met: slope <= 1.3,
    found: `an event of ${most} costs ${short(slope)} times one of 500`,
  };
}
