import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { useData } from '../data.ts';
import { announce } from '../parts/announce.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { ShortId, WholeId } from '../parts/id.tsx';
import { Loaded, Page, Section } from '../parts/page.tsx';
import { Block } from '../parts/text.tsx';
import { Status } from '../parts/status.tsx';
import { At, Since } from '../parts/time.tsx';
import { link } from '../router.ts';
import type { Timeline } from '../wire.ts';

/** One run: where it is, and everything that led there. */
export function RunPage({ id }: { readonly id: string }) {
  const data = useData<Timeline>(
    `/runs/${encodeURIComponent(id)}`,
    (change) => change === 'all' || change.some((run) => run.id === id),
  );
  return (
    <Page
      title={`Run ${id.slice(0, 8)}`}
      acts={data.value && <Acts run={data.value} reload={data.reload} />}
    >
      <Loaded data={data}>
        {(run) => (
          <>
            <Facts run={run} />
            <Errors run={run} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ run }: { readonly run: Timeline }) {
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Status status={run.status} /> {run.reason !== undefined && <code>{run.reason}</code>}{' '}
        {run.waitsFor !== undefined && (
          <>
            for <Since at={run.waitsFor.since} />
          </>
        )}
      </dd>
      <dt>Run</dt>
      <dd>
        <WholeId id={run.id} />
      </dd>
      <dt>Agent</dt>
      <dd>{run.agent}</dd>
      <dt>Context</dt>
      <dd>
        <ShortId
          id={run.context}
          href={`${link('/runs')}?context=${encodeURIComponent(run.context)}`}
        />
      </dd>
      <dt>Made</dt>
      <dd>
        <At at={run.createdAt} />
      </dd>
    </dl>
  );
}

function Errors({ run: { errors } }: { readonly run: Timeline }) {
  if (errors.length === 0) return null;
  return (
    <Section title="What its code threw">
      {errors.map(({ at, attempt, fault, where, words }) => (
        <article key={`${at} ${attempt}`} class="error">
          <p>
            <code>{fault}</code> in {where}, attempt {attempt}, <At at={at} />
          </p>
          {words !== undefined && <Block label={`${fault} in words`}>{words}</Block>}
        </article>
      ))}
    </Section>
  );
}

function Acts({ reload, run }: { readonly run: Timeline; readonly reload: () => void }) {
  const [asking, setAsking] = useState(false);
  if (!run.open || !run.may.includes('cancel')) return null;
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Cancel the run…
      </button>
      {asking && (
        <Confirm
          title="Cancel this run?"
          act="Cancel the run"
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await post(`/runs/${encodeURIComponent(run.id)}/cancel`, {});
            announce('The run is cancelled.');
            reload();
          }}
        >
          <p>
            <code>{run.id}</code> of {run.agent} ends as CANCELED, whatever it does or waits for. It
            can’t be taken back.
          </p>
        </Confirm>
      )}
    </>
  );
}
