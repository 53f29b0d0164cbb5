import { post } from '../api.ts';
import { useData } from '../data.ts';
import { useAgentsWith } from '../me.ts';
import { Act } from '../parts/act.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { Since, Until } from '../parts/time.tsx';
import { countWords } from '../parts/words.ts';
import { link } from '../router.ts';
import type { RemotePage } from '../wire.ts';

type Remote = RemotePage['remotes'][number];

const CALM = 1_000;
const EVERY = 5_000;

/** Remote agents that agents here may ask, and which of them are left alone just now. */
export function Remotes() {
  const data = useData<RemotePage>('/remotes', () => true, CALM, EVERY);
  return (
    <Page title="Remotes">
      <Loaded data={data}>
        {({ remotes }) =>
          remotes.length === 0 ? (
            <Empty title="No agent here declares a remote agent." />
          ) : (
            <ul class="stack">
              {remotes.map((remote) => (
                <RemoteCard key={remote.remote} remote={remote} reload={data.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function RemoteCard({
  reload,
  remote: { agents, circuits, remote },
}: {
  readonly remote: Remote;
  readonly reload: () => void;
}) {
  const senders = useAgentsWith('send');
  const may = agents.some((agent) => senders.includes(agent));
  return (
    <li class="card pending">
      <header>
        <strong>
          <Text>{remote}</Text>
        </strong>
        {circuits.length === 0 ? (
          <span class="status good">✓ is called</span>
        ) : (
          <span class="status bad">✕ left alone</span>
        )}
        <span class="push">
          asked by{' '}
          {agents.map((agent, at) => (
            <span key={agent}>
              {at > 0 && ', '}
              <a href={link('/agents', agent)}>{agent}</a>
            </span>
          ))}
        </span>
      </header>
      {circuits.map(({ faults, openUntil, openedAt, reason }) => (
        <p key={openedAt}>
          {countWords(faults, 'call')} failed in a row, the last with <code>{reason}</code>. It is
          left alone for <Since at={openedAt} />; one call is let through again:{' '}
          <Until at={openUntil} />.
        </p>
      ))}
      {circuits.length > 0 && may && (
        <footer>
          <Act
            name="Reset…"
            title={`Call ${remote} again now?`}
            act="Reset"
            done={`${remote} is called again.`}
            primary
            run={async () => {
              await post(`/remotes/${encodeURIComponent(remote)}/reset`, {});
              reload();
            }}
          >
            <p>
              That its calls failed is forgotten, and what waits for it goes on now. Do it when you
              know that it is back.
            </p>
          </Act>
        </footer>
      )}
    </li>
  );
}
