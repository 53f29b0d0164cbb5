import { useData } from '../data.ts';
import type { Change } from '../live.ts';
import { Loaded, Page, Problem, Section } from '../parts/page.tsx';
import { Changes } from '../files/commits.tsx';
import { Files } from '../files/files.tsx';
import { Acts } from '../run/acts.tsx';
import { RunChart } from '../run/chart.tsx';
import { Facts } from '../run/facts.tsx';
import { RunLog } from '../run/log.tsx';
import { useTrail } from '../run/use-trail.ts';
import type { Timeline } from '../wire.ts';

/** One run: where it is, and everything that led there. */
export function RunPage({ id }: { readonly id: string }) {
  const path = `/runs/${encodeURIComponent(id)}`;
  const concerns = (change: Change): boolean =>
    change === 'all' || change.some((run) => run.id === id);
  const data = useData<Timeline>(path, concerns);
  const run = data.value;
  const { error, last, more, trail } = useTrail(path, concerns, run);
  return (
    <Page
      title={`Run ${id.slice(0, 13)}`}
      acts={run === undefined ? undefined : <Acts run={run} trail={trail} reload={data.reload} />}
    >
      <Loaded data={data}>
        {(shown) => (
          <>
            <Facts run={shown} />
            <Section title="Timeline" note="long stretches are drawn shorter">
              <RunChart run={shown} trail={trail} />
            </Section>
            <Section title="Log" note={more !== undefined && `of the steps, the first ${last}`}>
              <RunLog run={shown} trail={trail} />
              {error !== undefined && <Problem error={error} />}
              {more !== undefined && (
                <button type="button" onClick={more}>
                  Show more steps
                </button>
              )}
            </Section>
            <LeftFiles run={shown} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function LeftFiles({ run: { files, id, may, statusAt } }: { readonly run: Timeline }) {
  if (files === undefined || !may.includes('view')) return null;
  // What it commits comes with a change of it.
  return (
    <div key={statusAt}>
      <Section title="Changes of files">
        <Changes run={id} />
      </Section>
      <Section title="Files">
        <Files run={id} of="run" />
      </Section>
    </div>
  );
}
