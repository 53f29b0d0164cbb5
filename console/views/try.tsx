import { useEffect, useRef, useState } from 'preact/hooks';
import { post, type Refusal } from '../api.ts';
import { newId } from '../browser.ts';
import { refusalOf } from '../asking.ts';
import { useData } from '../data.ts';
import { ShortId } from '../parts/id.tsx';
import { Empty, Loaded, Page, Problem } from '../parts/page.tsx';
import {
  type Conversation,
  heard,
  isOver,
  said,
  type WirePart,
} from '../playground/conversation.ts';
import { Lines } from '../playground/lines.tsx';
import { MessageForm } from '../playground/message-form.tsx';
import { talk } from '../playground/talk.ts';
import { link } from '../router.ts';
import type { Me } from '../wire.ts';

/** Sends an agent messages as the operator's own caller, and shows what comes as it comes. */
export function Try() {
  const data = useData<Me>('/me', () => false);
  const [chosen, setChosen] = useState<string>();
  return (
    <Page title="Try an agent">
      <Loaded data={data}>
        {({ agents, operator }) => {
          const names = agents.filter(({ may }) => may.includes('try')).map(({ name }) => name);
          const [first] = names;
          if (first === undefined)
            return (
              <Empty title="There is no agent that you may try.">
                <p>
                  It takes the right <code>try</code>.
                </p>
              </Empty>
            );
          const agent = chosen ?? first;
          return (
            <>
              <div class="filters">
                <label>
                  <span>Agent</span>
                  <select
                    value={agent}
                    onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                  >
                    {names.map((name) => (
                      <option key={name} value={name}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
                <p class="note">
                  You call it as <code>operator:{operator}</code>.
                </p>
              </div>
              <Playground key={agent} agent={agent} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const NOTHING: Conversation = { lines: [] };

function Playground({ agent }: { readonly agent: string }) {
  const [talked, setTalked] = useState(NOTHING);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal>();
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const { context, state, task } = talked;
  const answers = state === 'INPUT_REQUIRED';
  const open = task !== undefined && !isOver(talked);

  const sendParts = (parts: readonly WirePart[]): void => {
    setBusy(true);
    setError(undefined);
    setTalked((before) => said(before, parts));
    const sent = {
      messageId: newId(),
      parts,
      ...(answers && task !== undefined && { taskId: task }),
      ...(context !== undefined && { contextId: context }),
    };
    talk(agent, sent, (came) => setTalked((now) => heard(now, came)), leaving.current.signal)
      .catch((thrown: unknown) => {
        if (!leaving.current.signal.aborted) setError(refusalOf(thrown));
      })
      .finally(() => setBusy(false));
  };
  const cancel = (): void => {
    const path = `/agents/${encodeURIComponent(agent)}/try/${encodeURIComponent(task ?? '')}/cancel`;
    post(path, {})
      // A task that asks has no stream that would tell.
      .then(() => setTalked((now) => heard(now, { statusUpdate: { status: CANCELED } })))
      .catch((thrown: unknown) => setError(refusalOf(thrown)));
  };
  return (
    <div class="playground">
      {talked.lines.length > 0 && <Lines lines={talked.lines} />}
      {task !== undefined && (
        <p class="note">
          Run <ShortId id={task} href={link('/runs', task)} />
          {state === 'AUTH_REQUIRED' && (
            <>
              {' '}
              waits for a decision: <a href={link('/inbox')}>inbox</a>
            </>
          )}
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
      <MessageForm answers={answers} busy={busy} onSend={sendParts} />
      <div class="acts">
        {open && (
          <button type="button" class="danger" onClick={cancel}>
            Cancel the task
          </button>
        )}
        {!open && !busy && talked.lines.length > 0 && (
          <button type="button" onClick={() => setTalked(NOTHING)}>
            Begin anew
          </button>
        )}
      </div>
    </div>
  );
}

const CANCELED = { state: 'TASK_STATE_CANCELED' };
