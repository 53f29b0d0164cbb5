import type { ComponentChildren } from 'preact';
import { useData } from '../data.ts';
import { ShortId } from '../parts/id.tsx';
import { Empty, Loaded, Page, Section } from '../parts/page.tsx';
import { Status as StatusBadge } from '../parts/status.tsx';
import { Ago, Since } from '../parts/time.tsx';
import { countWords, numberWords } from '../parts/words.ts';
import { link } from '../router.ts';
import type { Inbox, RunPage, Status } from '../wire.ts';
import { CostChart } from './cost-chart.tsx';
import { useCosts } from './costs.tsx';
import { Lately } from './lately.tsx';
import { WaitLine } from './wait-line.tsx';

/** How the installation is, and what waits for whom. */
export function Overview() {
  const status = useData<Status>('/status');
  return (
    <Page title="Overview">
      <Loaded data={status}>{(value) => <Numbers status={value} />}</Loaded>
      <Waiting />
      <Lately />
      <Spent />
      <Newest />
    </Page>
  );
}

function Numbers({ status }: { readonly status: Status }) {
  const { blocked, deadLettered, expiredLeases, oldestWait, parkedWebhooks, waiting } = status;
  const failed = deadLettered.attemptsExhausted + deadLettered.effectUnknown;
  return (
    <dl class="tiles">
      <Tile name="Queued" value={status.queued} href={filtered('queued')} />
      <Tile name="Running" value={status.running} href={filtered('running')} />
      <Tile
        name="Wait for a person"
        value={waiting.approval + waiting.input}
        tone="person"
        href={filtered('waiting_for_approval')}
      >
        {oldestWait !== undefined && (
          <>
            longest: <Since at={oldestWait.since} />
          </>
        )}
      </Tile>
      <Tile
        name="Wait for a remote"
        value={waiting.dependency}
        href={filtered('waiting_for_dependency')}
      >
        {waiting.unknownSend > 0 && countWords(waiting.unknownSend, 'unknown send')}
      </Tile>
      <Tile
        name="Blocked"
        value={blocked}
        tone="bad"
        href={`${link('/runs')}?waitingFor=blocked`}
      />
      <Tile name="Gave up" value={failed} tone="bad" href={filtered('failed')}>
        {deadLettered.effectUnknown > 0 &&
          `${numberWords(deadLettered.effectUnknown)} with an effect unknown`}
      </Tile>
      <Tile name="Lapsed leases" value={expiredLeases} tone="bad" />
      <Tile
        name="Parked webhooks"
        value={parkedWebhooks.count}
        tone="bad"
        href={link('/webhooks')}
      />
    </dl>
  );
}

const filtered = (status: string): string => `${link('/runs')}?status=${status}`;

interface TileProps {
  readonly name: string;
  readonly value: number;
  /** Shown where the number is not zero. */
  readonly tone?: 'person' | 'bad';
  readonly href?: string;
  readonly children?: ComponentChildren;
}

function Tile({ children, href, name, tone, value }: TileProps) {
  const words = numberWords(value);
  return (
    <div class={`tile ${value > 0 ? (tone ?? '') : 'none'}`}>
      <dt>{name}</dt>
      <dd>
        <span class="tile-value">{href === undefined ? words : <a href={href}>{words}</a>}</span>
        <span class="note">{children}</span>
      </dd>
    </div>
  );
}

function Waiting() {
  const inbox = useData<Inbox>('/inbox');
  return (
    <Section title="Waits for you" note={<a href={link('/inbox')}>inbox</a>}>
      <Loaded data={inbox}>
        {({ decisions, sends }) =>
          decisions.length + sends.length === 0 ? (
            <Empty title="Nothing waits for you." />
          ) : (
            <ul class="lines">
              {decisions.slice(0, 5).map(({ agent, id, kind, since }) => (
                <WaitLine
                  key={id}
                  run={id}
                  agent={agent}
                  status={`waiting_for_${kind}`}
                  since={since}
                />
              ))}
              {sends.slice(0, 5).map(({ agent, id, run, since, state }) => (
                <WaitLine key={id} run={run} agent={agent} status={state} since={since} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Absent where no model was used. */
function Spent() {
  const costs = useCosts('agent', 7);
  if (costs.value === undefined || costs.value.rows.length === 0) return null;
  return (
    <Section title="What models cost" note={<a href={link('/costs')}>costs</a>}>
      <CostChart costs={costs.value} by="agent" />
    </Section>
  );
}

function Newest() {
  const runs = useData<RunPage>('/runs?limit=10');
  return (
    <Section title="Newest changes" note={<a href={link('/runs')}>all runs</a>}>
      <Loaded data={runs}>
        {({ runs: rows }) =>
          rows.length === 0 ? (
            <Empty title="No run yet.">
              <p>Send a message to an agent; its run is shown here as it happens.</p>
            </Empty>
          ) : (
            <ul class="lines">
              {rows.map((run) => (
                <li key={run.id}>
                  <ShortId id={run.id} href={link('/runs', run.id)} />
                  <span>{run.agent}</span>
                  <StatusBadge status={run.status} />
                  <span class="note push">
                    <Ago at={run.statusAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
