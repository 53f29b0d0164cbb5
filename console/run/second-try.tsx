import { useEffect, useState } from 'preact/hooks';
import { post, type Refusal } from '../api.ts';
import { newId } from '../browser.ts';
import { refusalOf } from '../asking.ts';
import { announce } from '../parts/announce.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Problem } from '../parts/page.tsx';
import type { SecondTry, Timeline, Trail } from '../wire.ts';
import { stepWords } from './lanes.ts';
import { TryPreview } from './try-preview.tsx';

interface SecondTryProps {
  readonly run: Timeline;
  readonly trail: Trail | undefined;
  readonly reload: () => void;
}

type Kind = 'retry' | 'fork';

/** The ways to have the work of a run that ended, or waits, done once more, as a new run. */
export function SecondTries({ reload, run, trail }: SecondTryProps) {
  const [asking, setAsking] = useState<Kind>();
  const waits = run.open && run.status.startsWith('waiting_') && run.may.includes('cancel');
  if ((run.open && !waits) || !run.may.includes('retry')) return null;
  const steps = trail?.steps ?? [];
  return (
    <>
      {!run.open && run.status !== 'completed' && (
        <button type="button" onClick={() => setAsking('retry')}>
          Try again…
        </button>
      )}
      {steps.length > 0 && (
        <button type="button" onClick={() => setAsking('fork')}>
          Fork…
        </button>
      )}
      {asking !== undefined && (
        <SecondTryDialog
          kind={asking}
          run={run}
          steps={steps}
          onClose={() => setAsking(undefined)}
          onMade={reload}
        />
      )}
    </>
  );
}

interface DialogProps {
  readonly kind: Kind;
  readonly run: Timeline;
  readonly steps: Trail['steps'];
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Shows what a second try would be, by the server's own dry run, and makes it when told to. */
function SecondTryDialog({ kind, onClose, onMade, run, steps }: DialogProps) {
  // Of this dialog: said again after an answer that got lost, it makes nothing twice.
  const [requestId] = useState(newId);
  const [again, setAgain] = useState<readonly string[]>([]);
  const [from, setFrom] = useState(steps.at(-1)?.n ?? 1);
  const [text, setText] = useState('');
  const path = `/runs/${encodeURIComponent(run.id)}/${kind}`;
  const body = {
    again,
    ...(kind === 'fork' && { from }),
    ...(run.open && { cancel: true }),
  };
  const { error, value } = useDryRun(path, body);
  const first = steps.find(({ n }) => n === from);
  return (
    <Confirm
      title={kind === 'retry' ? 'Try this run once more?' : 'Do this run anew from a step on?'}
      act={kind === 'retry' ? 'Try again' : 'Fork'}
      disabled={value === undefined || isHeld(value, again)}
      onClose={onClose}
      onConfirm={async () => {
        const made = await post<SecondTry>(path, {
          ...body,
          ...(text !== '' && { text }),
          requestId,
        });
        announce(`The new run is ${made.run?.id ?? 'made'}.`);
        onMade();
      }}
    >
      {kind === 'fork' && (
        <label class="field">
          <span>The first step that is done anew</span>
          <select
            class="wide"
            value={String(from)}
            onChange={({ currentTarget }) => {
              setFrom(Number(currentTarget.value));
              setAgain([]);
              setText('');
            }}
          >
            {steps.map((step) => (
              <option key={step.n} value={String(step.n)}>
                {stepWords(step)}
              </option>
            ))}
          </select>
        </label>
      )}
      {kind === 'fork' && first?.kind === 'answer' && (
        <label class="field">
          <span>What the message says instead; empty: as it was</span>
          <textarea value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
      )}
      {run.open && <p>This run waits. It is cancelled, and the new one takes its place.</p>}
      {error !== undefined && <Problem error={error} />}
      {value === undefined && error === undefined && <p role="status">Looking at its steps…</p>}
      {value !== undefined && <TryPreview plan={value} again={again} onAgain={setAgain} />}
    </Confirm>
  );
}

/** Something must not run twice, and is not named; or another task is in the way. */
function isHeld({ busy, named, risks, unread }: SecondTry, again: readonly string[]): boolean {
  if (busy !== undefined) return true;
  if (again.includes('*')) return false;
  if (unread > 0) return true;
  return [...risks, ...named].some(({ callId }) => !again.includes(callId));
}

interface DryRun {
  readonly value?: SecondTry;
  readonly error?: Refusal;
}

/** What the server would do, asked anew with each change; the plan before it stays in sight. */
function useDryRun(path: string, body: object): DryRun {
  const [state, setState] = useState<DryRun>({});
  const asked = JSON.stringify({ ...body, dryRun: true });
  useEffect(() => {
    let current = true;
    post<SecondTry>(path, JSON.parse(asked) as object)
      .then((value) => current && setState({ value }))
      .catch((error: unknown) => current && setState({ error: refusalOf(error) }));
    return () => {
      current = false;
    };
  }, [path, asked]);
  return state;
}
