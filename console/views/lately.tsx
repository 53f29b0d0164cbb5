import { useData } from '../data.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty, Loaded, Section } from '../parts/page.tsx';
import { type Series, StackedBars } from '../parts/stacked-bars.tsx';
import { numberWords, spanWords } from '../parts/words.ts';
import { link, place, refine } from '../router.ts';
import { useStore } from '../store.ts';
import type { Overview } from '../wire.ts';

const OUTCOMES: readonly Series[] = [
  { key: 'completed', title: 'completed', tone: 'good' },
  { key: 'failed', title: 'failed', tone: 'bad' },
  { key: 'rejected', title: 'rejected', tone: 'remote' },
  { key: 'cancelled', title: 'cancelled', tone: 'idle' },
];

const SPANS = [
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
] as const;

/** It is read from rows: not with each change. */
const CALM = 15_000;

/** How many runs ended lately and how, why they failed, and how long they took. */
export function Lately() {
  const { query } = useStore(place);
  const span = SPANS.find(([value]) => value === query.get('span'))?.[0] ?? '24h';
  const data = useData<Overview>(`/overview?span=${span}`, () => true, CALM);
  const choose = (value: string): void => {
    const next = new URLSearchParams(query);
    next.set('span', value);
    refine(next);
  };
  const choice = <Choice label="Span" quiet value={span} values={SPANS} choose={choose} />;
  return (
    <Section title="Runs that ended" note={choice}>
      <Loaded data={data}>{(value) => <Ended overview={value} short={span !== '7d'} />}</Loaded>
    </Section>
  );
}

function Ended({ overview, short }: { readonly overview: Overview; readonly short: boolean }) {
  const { agents, buckets, cut, looked, queued, reasons, since } = overview;
  if (agents.length === 0) return <Empty title="No run ended in this span." />;
  return (
    <>
      {cut && (
        <p class="note">
          Of the newest {numberWords(looked)} runs that changed, since {timeWords(since, false)}.
        </p>
      )}
      <div class="cards">
        <div class="card wide">
          <StackedBars
            caption="Runs that ended"
            series={OUTCOMES}
            columns={buckets.map(({ at, ...values }) => ({ name: timeWords(at, short), values }))}
          />
        </div>
        <div class="card">
          <h3>Why runs failed</h3>
          <Reasons reasons={reasons} since={since} />
        </div>
      </div>
      <Times agents={agents} queued={queued} />
    </>
  );
}

function Reasons({ reasons, since }: Pick<Overview, 'reasons' | 'since'>) {
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

function Times({ agents, queued }: Pick<Overview, 'agents' | 'queued'>) {
  return (
    <div class="table-box plain spaced" role="region" aria-label="How long runs took" tabIndex={0}>
      <table>
        <caption class="hidden">
          How long runs took: the median, and what one of ten and one of a hundred took at least
        </caption>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col" class="numeric">
              Ended
            </th>
            <th scope="col" class="numeric">
              Failed
            </th>
            <th scope="col" class="numeric">
              Worked p50
            </th>
            <th scope="col" class="numeric secondary">
              p90
            </th>
            <th scope="col" class="numeric secondary">
              p99
            </th>
            <th scope="col" class="numeric">
              Whole p50
            </th>
            <th scope="col" class="numeric secondary">
              p90
            </th>
          </tr>
        </thead>
        <tbody>
          {agents.map(({ agent, ended, failed, whole, worked }) => (
            <tr key={agent}>
              <th scope="row">{agent}</th>
              <td class="numeric">{numberWords(ended)}</td>
              <td class="numeric">
                {failed === 0
                  ? '0'
                  : `${numberWords(failed)} (${Math.round((failed / ended) * 100)} %)`}
              </td>
              <td class="numeric">{worked && spanWords(worked.p50)}</td>
              <td class="numeric secondary">{worked && spanWords(worked.p90)}</td>
              <td class="numeric secondary">{worked && spanWords(worked.p99)}</td>
              <td class="numeric">{whole && spanWords(whole.p50)}</td>
              <td class="numeric secondary">{whole && spanWords(whole.p90)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {queued !== undefined && (
        <p class="note foot">
          Work waited in the queue for {spanWords(queued.p50)} (p50), {spanWords(queued.p90)} (p90),{' '}
          {spanWords(queued.p99)} (p99).
        </p>
      )}
    </div>
  );
}

function timeWords(at: string, short: boolean): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString('sv', { hour: '2-digit', minute: '2-digit' });
  return short ? time : `${date.toLocaleDateString('sv')} ${time}`;
}
