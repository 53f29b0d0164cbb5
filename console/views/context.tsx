import { DataTable } from '../parts/data-table.tsx';
import { WholeId } from '../parts/id.tsx';
import { Empty, Loaded, Page, Problem, Section } from '../parts/page.tsx';
import { useData } from '../data.ts';
import { Commits } from '../files/commits.tsx';
import { Files } from '../files/files.tsx';
import type { Change } from '../live.ts';
import type { Commits as CommitList } from '../wire.ts';
import { useRunList } from './run-list.ts';
import { COLUMNS } from './runs.tsx';

/** One context: its tasks, the newest change first. */
export function ContextOf({ id }: { readonly id: string }) {
  const list = useRunList(new URLSearchParams({ context: id }).toString());
  const { error, loading, rows } = list;
  const seen = rows.find(({ may }) => may.includes('view'));
  return (
    <Page title={`Context ${id.slice(0, 13)}`}>
      <p class="lead">
        <WholeId id={id} />
      </p>
      {error !== undefined && <Problem error={error} retry={list.reload} />}
      {rows.length > 0 && (
        <DataTable
          caption="Runs of this context"
          columns={COLUMNS.filter(({ key }) => key !== 'context')}
          rows={rows}
          keyOf={(run) => run.id}
          onEnd={list.loadMore}
        />
      )}
      {seen !== undefined && <ContextFiles run={seen.id} context={id} />}
      {rows.length === 0 && error === undefined && !loading && (
        <Empty title="No run of this context is left, or none that you may see." />
      )}
    </Page>
  );
}

/** Absent where the agent of the context has no files. */
function ContextFiles({ context, run }: { readonly run: string; readonly context: string }) {
  const concerns = (change: Change): boolean =>
    change === 'all' || change.some((each) => each.context === context);
  const data = useData<CommitList>(`/runs/${encodeURIComponent(run)}/commits`, concerns);
  if (data.error?.code === 'FILES_NOT_FOUND') return null;
  return (
    <Loaded data={data}>
      {({ commits }) => (
        <>
          <Section title="Commits">
            {commits.length === 0 ? (
              <Empty title="No task has left files yet." />
            ) : (
              <Commits commits={commits} />
            )}
          </Section>
          <Section title="Files that the next task begins with">
            <Files key={commits.find(({ head }) => head)?.id ?? ''} run={run} of="context" />
          </Section>
        </>
      )}
    </Loaded>
  );
}
