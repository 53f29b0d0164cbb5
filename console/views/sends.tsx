import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { useData } from '../data.ts';
import { Act } from '../parts/act.tsx';
import { ShortId, WholeId } from '../parts/id.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Json } from '../parts/text.tsx';
import { At, Since, Until } from '../parts/time.tsx';
import { link } from '../router.ts';
import type { Inbox, Timeline } from '../wire.ts';

type Pending = Inbox['sends'][number];

/** Messages to remote agents of which it is unknown whether they arrived. */
export function Sends() {
  const data = useData<Inbox>('/inbox');
  return (
    <Page title="Sends">
      <Loaded data={data}>
        {({ sends }) =>
          sends.length === 0 ? (
            <Empty title="The outcome of every send is known.">
              <p>A message to a remote agent comes here when no answer says what became of it.</p>
            </Empty>
          ) : (
            <ul class="stack">
              {sends.map((send) => (
                <SendCard key={send.id} send={send} reload={data.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function SendCard({ reload, send }: { readonly send: Pending; readonly reload: () => void }) {
  const { agent, id, reason, remote, run, since, state, until } = send;
  const data = useData<Timeline>(`/runs/${encodeURIComponent(run)}`, () => false);
  const known = data.value?.sends.find((each) => each.id === id);
  const to = `/sends/${encodeURIComponent(id)}`;
  const act = async (name: string, body: object): Promise<void> => {
    await post(`${to}/${name}`, body);
    reload();
  };
  return (
    <li class="card pending">
      <header>
        <Status status={state} />
        <span>
          {agent} to {remote}
        </span>
        <ShortId id={run} href={link('/runs', run)} />
        <span class="note push">
          for <Since at={since} />
        </span>
      </header>
      <dl class="facts">
        <dt>Why</dt>
        <dd>{reason ?? 'no answer came'}</dd>
        <dt>Goes on</dt>
        <dd>
          without it at last: <Until at={until} />
        </dd>
        {known !== undefined && <Known send={known} />}
      </dl>
      <footer>
        <Linked remote={remote} onLink={(taskId) => act('link', { taskId })} />
        <Act
          name="Send again…"
          title="Send it again?"
          act="Send again"
          done="Sent again."
          danger
          run={() => act('resend', {})}
        >
          <p>
            It leaves as a new message that is linked to this one. If this one did arrive, {remote}{' '}
            has it twice. It counts as a delegation.
          </p>
        </Act>
        <Act
          name="Give it up…"
          title="Give it up?"
          act="Give up"
          done="Given up."
          danger
          run={() => act('abandon', {})}
        >
          <p>The run goes on, and its model is told that the outcome is unknown.</p>
        </Act>
      </footer>
    </li>
  );
}

/** What helps to find its task at the remote. */
function Known({
  send: { card, content, contextId, preparedAt },
}: {
  readonly send: Timeline['sends'][number];
}) {
  return (
    <>
      <dt>Left</dt>
      <dd>
        <At at={preparedAt} />
      </dd>
      <dt>Its context</dt>
      <dd>
        <WholeId id={contextId} />
        <p class="note">
          The task at the remote is in this context, which is of this message alone.
        </p>
      </dd>
      {card !== undefined && (
        <>
          <dt>Card</dt>
          <dd>
            <code>{card}</code>
          </dd>
        </>
      )}
      {content !== undefined && (
        <>
          <dt>Message</dt>
          <dd>
            <Json label="message" value={content} />
          </dd>
        </>
      )}
    </>
  );
}

function Linked({
  onLink,
  remote,
}: {
  readonly remote: string;
  readonly onLink: (taskId: string) => Promise<void>;
}) {
  const [taskId, setTaskId] = useState('');
  return (
    <Act
      name="It arrived…"
      title={`Which task of ${remote} came of it?`}
      act="Link"
      done="Linked."
      primary
      run={() => onLink(taskId.trim())}
    >
      <p>The remote is asked for that task, and the run waits for it.</p>
      <label>
        <span>Id of the task at the remote</span>
        <input
          type="text"
          class="wide"
          value={taskId}
          onInput={({ currentTarget }) => setTaskId(currentTarget.value)}
        />
      </label>
    </Act>
  );
}
