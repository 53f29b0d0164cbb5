import { DataTable } from '../parts/data-table.tsx';
import { WholeId } from '../parts/id.tsx';
import { Empty, Page, Problem } from '../parts/page.tsx';
import { useRunList } from './run-list.ts';
import { COLUMNS } from './runs.tsx';

/** One context: its tasks, the newest change first. */
export function ContextOf({ id }: { readonly id: string }) {
  const list = useRunList(new URLSearchParams({ context: id }).toString());
  const { error, loading, rows } = list;
  return (
    <Page title={`Context ${id.slice(0, 8)}`}>
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
      {rows.length === 0 && error === undefined && !loading && (
        <Empty title="No run of this context is left, or none that you may see." />
      )}
    </Page>
  );
}
