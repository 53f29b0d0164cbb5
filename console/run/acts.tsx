import { post } from '../api.ts';
import { Act } from '../parts/act.tsx';
import type { Timeline, Trail } from '../wire.ts';
import { SecondTries } from './second-try.tsx';

interface ActsProps {
  readonly run: Timeline;
  readonly trail: Trail | undefined;
  readonly reload: () => void;
}

/** What this operator may do to a run that is where it is. */
export function Acts({ reload, run, trail }: ActsProps) {
  const path = `/runs/${encodeURIComponent(run.id)}`;
  const { blocked } = run;
  return (
    <>
      {blocked !== undefined && run.may.includes('decide') && (
        <Act
          name="Let it go on…"
          title="Let this run go on without what is gone?"
          act="Go on"
          done="The run goes on."
          run={async () => {
            await post(`${path}/continue`, { digest: blocked.digest });
            reload();
          }}
        >
          <p>
            A call of what is gone gets an error result, which its model reads; what changed is
            called as it is now.
          </p>
          <ul class="changes">
            {blocked.changes.map(({ changed, kind, name }) => (
              <li key={`${kind} ${name}`}>
                {kind} <code>{name}</code>:{' '}
                {changed.length === 0 ? 'gone' : `changed: ${changed.join(', ')}`}
              </li>
            ))}
          </ul>
        </Act>
      )}
      {run.open && run.may.includes('cancel') && (
        <Act
          name="Cancel…"
          title="Cancel this run?"
          act="Cancel the run"
          done="The run is cancelled."
          danger
          run={async () => {
            await post(`${path}/cancel`, {});
            reload();
          }}
        >
          <p>
            Run <code>{run.id}</code> of {run.agent} ends as CANCELED, whatever it does or waits
            for. It can’t be taken back.
          </p>
        </Act>
      )}
      <SecondTries run={run} trail={trail} reload={reload} />
    </>
  );
}
