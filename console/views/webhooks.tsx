import type { ComponentChildren } from 'preact';
import { post } from '../api.ts';
import { useData } from '../data.ts';
import { operator, useAgentsWith } from '../me.ts';
import { Act } from '../parts/act.tsx';
import { ShortId } from '../parts/id.tsx';
import { Empty, Loaded, Page, Section } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { Ago, Since, Until } from '../parts/time.tsx';
import { countWords, numberWords } from '../parts/words.ts';
import { link } from '../router.ts';
import { useStore } from '../store.ts';
import type { NoticeTargets, ParkedPage } from '../wire.ts';

type Webhook = ParkedPage['webhooks'][number];
type Target = NoticeTargets['targets'][number];

const CALM = 1_000;
const EVERY = 5_000;

/** Webhooks of callers that were given up, and whom the operators have told of what waits. */
export function Webhooks() {
  return (
    <Page title="Webhooks">
      <Parked />
      <Targets />
    </Page>
  );
}

function Parked() {
  const data = useData<ParkedPage>('/webhooks?limit=100', () => true, CALM, EVERY);
  return (
    <Section title="Of callers, given up">
      <Loaded data={data}>
        {({ more, webhooks }) =>
          webhooks.length === 0 ? (
            <Empty title="No webhook is parked.">
              <p>One that fails again and again is told nothing more, and comes here.</p>
            </Empty>
          ) : (
            <>
              <ul class="stack">
                {webhooks.map((webhook) => (
                  <ParkedCard key={webhook.id} webhook={webhook} reload={data.reload} />
                ))}
              </ul>
              {more && <p class="note">There are more than are shown.</p>}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function ParkedCard({
  reload,
  webhook: { after, agent, failures, id, reason, run, since },
}: {
  readonly webhook: Webhook;
  readonly reload: () => void;
}) {
  const may = useAgentsWith('send').includes(agent);
  return (
    <li class="card pending">
      <header>
        <span class="status bad">✕ parked</span>
        <span>
          of run <ShortId id={run} href={link('/runs', run)} />
        </span>
        <a href={link('/agents', agent)}>{agent}</a>
        <span class="note push">
          for <Since at={since} />
        </span>
      </header>
      <p>
        {countWords(failures, 'attempt')} failed, the last with <code>{reason}</code>. It took
        everything up to event {numberWords(after)}.
      </p>
      {may && (
        <Redeliver
          title="Tell this webhook again?"
          done="The webhook is told again."
          path={`/webhooks/${encodeURIComponent(id)}/redeliver`}
          reload={reload}
        >
          <p>It is told everything from the event on at which it was given up.</p>
        </Redeliver>
      )}
    </li>
  );
}

function Targets() {
  const data = useData<NoticeTargets>('/notices', () => true, CALM, EVERY);
  return (
    <Section title="Of operators: who is told of what waits, fails or ends">
      <Loaded data={data}>
        {({ targets }) =>
          targets.length === 0 ? (
            <Empty title="This installation tells no one." />
          ) : (
            <ul class="stack">
              {targets.map((target) => (
                <TargetCard key={target.name} target={target} reload={data.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function TargetCard({ reload, target }: { readonly target: Target; readonly reload: () => void }) {
  const { agents, events, failures, form, left, name, nextAt, parkedSince, reason, toldAt } =
    target;
  const senders = useAgentsWith('send');
  const all = useStore(operator)?.agents.length ?? 0;
  return (
    <li class="card pending">
      <header>
        <strong>
          <Text>{name}</Text>
        </strong>
        {parkedSince === undefined ? (
          <span class="status good">✓ {target.status}</span>
        ) : (
          <span class="status bad">
            ✕ parked for <Since at={parkedSince} />
          </span>
        )}
        <span class="note push">
          {form}
          {toldAt !== undefined && (
            <>
              , told <Ago at={toldAt} />
            </>
          )}
        </span>
      </header>
      <dl class="facts">
        <dt>Told of</dt>
        <dd>{events.join(', ')}</dd>
        {agents !== undefined && (
          <>
            <dt>Agents</dt>
            <dd>{agents.join(', ')}</dd>
          </>
        )}
        <dt>Left</dt>
        <dd>{countWords(left, 'notice')}</dd>
        {failures !== undefined && failures > 0 && (
          <>
            <dt>Failed</dt>
            <dd>
              {countWords(failures, 'attempt')}
              {reason !== undefined && (
                <>
                  , the last with <code>{reason}</code>
                </>
              )}
              {nextAt !== undefined && (
                <>
                  ; again: <Until at={nextAt} />
                </>
              )}
            </dd>
          </>
        )}
      </dl>
      {parkedSince !== undefined && senders.length === all && (
        <Redeliver
          title={`Tell ${name} again?`}
          done={`${name} is told again.`}
          path={`/notices/${encodeURIComponent(name)}/redeliver`}
          reload={reload}
        >
          <p>It is told what came up meanwhile and still waits.</p>
        </Redeliver>
      )}
    </li>
  );
}

function Redeliver({
  children,
  done,
  path,
  reload,
  title,
}: {
  readonly title: string;
  readonly done: string;
  readonly path: string;
  readonly reload: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <footer>
      <Act
        name="Tell again…"
        title={title}
        act="Tell again"
        done={done}
        primary
        run={async () => {
          await post(path, {});
          reload();
        }}
      >
        {children}
      </Act>
    </footer>
  );
}
