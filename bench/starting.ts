import { Client } from './client.ts';
import { median } from './load.ts';
import { number, type Section } from './report.ts';
import { interleaved, start, type SubjectName } from './subject.ts';

/** From the start of Node to the first answer. */
export async function starting(quick: boolean): Promise<Section> {
  const found = await interleaved(quick ? 3 : 9, measure);
  const row = (name: SubjectName, label: string): readonly string[] => {
    const starts = found.get(name) ?? [];
    const ready = starts.map((each) => each.ready);
    const answered = starts.map((each) => each.answered);
    return [label, number(median(ready)), number(median(answered)), number(Math.min(...ready))];
  };
  return {
    title: 'Start',
    about:
      'From the spawn of `node` over an empty folder to the line that says the server listens, and to the answer of a first task. The SDK finds its tables made, Holdfast makes its own; Holdfast loads TypeScript, without its types from the compile cache that an earlier start filled, and listens before the code of its edge and its worker is loaded (decision 0078): the first task waits for it.',
    table: {
      head: ['server', 'ready ms', 'first task ms', 'fastest ready ms'],
      rows: [row('holdfast', 'holdfast'), row('sdk', 'SDK')],
    },
    targets: [],
  };
}

async function measure(name: SubjectName): Promise<{ ready: number; answered: number }> {
  const server = await start(name);
  const client = new Client(server.url);
  try {
    const began = performance.now();
    await client.send('chunks=1');
    return { ready: server.readyAfter, answered: server.readyAfter + performance.now() - began };
  } finally {
    client.close();
    await server.stop();
  }
}
