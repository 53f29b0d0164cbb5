import { post } from '../api.ts';
import { useData } from '../data.ts';
import { Card } from './agent-card.tsx';
import { Act } from '../parts/act.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Since } from '../parts/time.tsx';
import { link } from '../router.ts';
import type { AgentPage } from '../wire.ts';

type Agent = AgentPage['agents'][number];

/** The agents that are published here, and which of them are paused. */
export function Agents() {
  return (
    <Page title="Agents">
      <AgentList />
    </Page>
  );
}

/** One agent: whether it is paused, its runs, and its card as callers see it. */
export function AgentOf({ id }: { readonly id: string }) {
  return (
    <Page title={id}>
      <AgentList only={id} />
      <Card agent={id} />
    </Page>
  );
}

function AgentList({ only }: { readonly only?: string }) {
  const data = useData<AgentPage>('/agents');
  return (
    <Loaded data={data}>
      {({ agents }) => {
        const shown = agents.filter(({ agent }) => only === undefined || agent === only);
        if (shown.length === 0)
          return (
            <Empty title="No such agent is published here.">
              <p>
                <a href={link('/agents')}>All agents</a>
              </p>
            </Empty>
          );
        return (
          <ul class="stack">
            {shown.map((agent) => (
              <AgentCard key={agent.agent} agent={agent} reload={data.reload} />
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

function AgentCard({ agent: row, reload }: { readonly agent: Agent; readonly reload: () => void }) {
  const { agent, may, pausedSince } = row;
  const act = async (name: 'pause' | 'resume'): Promise<void> => {
    await post(`/agents/${encodeURIComponent(agent)}/${name}`, {});
    reload();
  };
  const runs = (status: string): string =>
    `${link('/runs')}?${new URLSearchParams({ agent, status }).toString()}`;
  return (
    <li class="card pending">
      <header>
        <a href={link('/agents', agent)}>{agent}</a>
        {pausedSince === undefined ? (
          <span class="status good">✓ takes work</span>
        ) : (
          <span class="status person">
            ◆ paused for <Since at={pausedSince} />
          </span>
        )}
        <span class="push">
          runs: <a href={runs('open')}>open</a>, <a href={runs('failed')}>failed</a>,{' '}
          <a href={runs('ended')}>ended</a>
        </span>
      </header>
      <p class="note">You may {may.join(', ')}.</p>
      {may.includes('pause') && (
        <footer>
          {pausedSince === undefined ? (
            <Act
              name="Pause…"
              title={`Pause ${agent}?`}
              act="Pause"
              done={`${agent} is paused.`}
              run={() => act('pause')}
            >
              <p>
                Messages to it are accepted and wait; what is under way ends its segment. Nothing
                fails, and no deadline passes.
              </p>
            </Act>
          ) : (
            <Act
              name="Resume…"
              title={`Resume ${agent}?`}
              act="Resume"
              done={`${agent} takes work again.`}
              primary
              run={() => act('resume')}
            >
              <p>It goes on with everything that waited.</p>
            </Act>
          )}
        </footer>
      )}
    </li>
  );
}
