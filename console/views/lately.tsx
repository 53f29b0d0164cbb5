import { useData } from '../data.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty, Loaded, Section } from '../parts/page.tsx';
import { type Series, StackedBars } from '../parts/stacked-bars.tsx';
import { numberWords, spanWords } from '../parts/words.ts';
import { link, place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { Throughput } from '../wire.ts';

const OUTCOMES: readonly Series[] = [
  { key: 'completed', title: 'completed', tone: 'good' },
  { key: 'failed', title: 'failed', tone: 'bad' },
  { key: 'rejected', title: 'rejected', tone: 'remote' },
  { key: 'cancelled', title: 'cancelled', tone: 'idle' },
];

const SPANS_SERIES: readonly Series[] = [
  { key: 'p90', title: 'p90', tone: 'idle' },
  { key: 'p50', title: 'p50: half of them took no longer', tone: 'busy' },
];

const WINDOWS = [
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
] as const;

/** What ended is counted by the sweeper: not with each change. */
const CALM = 15_000;

/** How many runs ended lately and how, why they failed, and how long they took. */
export function Lately() {
  const { query } = useStore(place);
  const span = WINDOWS.find(([value]) => value === query.get('span'))?.[0] ?? '24h';
  const data = useData<Throughput>(`/throughput?window=${span}`, () => true, CALM);
  const choose = (value: string): void => {
    const next = new URLSearchParams(query);
    next.set('span', value);
    refine(next);
  };
  const choice = <Choice label="Span" quiet value={span} values={WINDOWS} choose={choose} />;
  return (
    <Section title="Runs that ended" note={choice}>
      <Loaded data={data}>{(value) => <Ended found={value} short={span !== '7d'} />}</Loaded>
    </Section>
  );
}

function Ended({ found, short }: { readonly found: Throughput; readonly short: boolean }) {
  const { behind, ended, from, reasons, stretches, took, waited } = found;
  const all = ended.completed + ended.failed + ended.cancelled + ended.rejected;
  if (all === 0) return <Empty title="No run ended in this span." />;
  return (
    <>
      {behind && <p class="note">More ended just now than are counted yet.</p>}
      <div class="cards">
        <div class="card">
          <StackedBars
            caption="Runs that ended"
            series={OUTCOMES}
            columns={stretches.map(({ at, cancelled, completed, failed, rejected }) => ({
              name: timeWords(at, short),
              values: { cancelled, completed, failed, rejected },
            }))}
          />
        </div>
        <div class="card">
          <h3>Why runs failed</h3>
          <Reasons reasons={reasons} since={from} />
        </div>
        <div class="card">
          <StackedBars
            caption="How long completed runs took"
            series={SPANS_SERIES}
            overlaid
            words={spanWords}
            columns={stretches.map(({ at, took: { p50 = 0, p90 = 0 } }) => ({
              name: timeWords(at, short),
              values: { p50, p90 },
            }))}
          />
        </div>
        <div class="card">
          <h3>How long it took</h3>
          <Spans took={took} waited={waited} />
        </div>
      </div>
    </>
  );
}

function Reasons({
  reasons,
  since,
}: Pick<Throughput, 'reasons'> & {
  readonly since: string;
}) {
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  if (reasons.length === 0) return <p class="note">None failed.</p>;
  return (
    <ul class="shares">
      {reasons.map(({ count, reason }) => (
        <li key={reason}>
          <a href={`${link('/runs')}?${new URLSearchParams({ reason, since }).toString()}`}>
            {reason}
          </a>
          <span>{numberWords(count)}</span>
          <span class="share" style={{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}

/** Of a hundred, so many took no longer; to within a fifth. */
function Spans({ took, waited }: Pick<Throughput, 'took' | 'waited'>) {
  const rows = [
    ['to the result', took],
    ['for a worker', waited],
  ] as const;
  return (
    <table class="small">
      <caption class="hidden">
        How long completed runs took from their message to the result, and how long runs waited for
        a worker
      </caption>
      <thead>
        <tr>
          <td />
          <th scope="col" class="numeric">
            p50
          </th>
          <th scope="col" class="numeric">
            p90
          </th>
          <th scope="col" class="numeric">
            p99
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, { p50, p90, p99 }]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {[p50, p90, p99].map((each, at) => (
              <td key={at} class="numeric">
                {each === undefined ? '' : spanWords(each)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function timeWords(at: string, short: boolean): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString('sv', { hour: '2-digit', minute: '2-digit' });
  return short ? time : `${date.toLocaleDateString('sv')} ${time}`;
}
