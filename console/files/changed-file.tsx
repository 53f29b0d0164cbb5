import { useMemo } from 'preact/hooks';
import { useData } from '../data.ts';
import { diffOf } from '../parts/line-diff.ts';
import { Loaded } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import type { FileContent } from '../wire.ts';
import { FileView } from './file-view.tsx';

interface ChangedFileProps {
  readonly run: string;
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** What became of one file: of a text line by line. */
export function ChangedFile({ change, path, run }: ChangedFileProps) {
  switch (change) {
    case 'added':
      return <FileView run={run} of="run" path={path} />;
    case 'removed':
      return <FileView run={run} of="before" path={path} />;
    case 'changed':
      return <Both run={run} path={path} />;
  }
}

function Both({ path, run }: Omit<ChangedFileProps, 'change'>) {
  const of = (side: 'before' | 'run'): string =>
    `/runs/${encodeURIComponent(run)}/file?${new URLSearchParams({ of: side, path }).toString()}`;
  const before = useData<FileContent>(of('before'), () => false);
  const after = useData<FileContent>(of('run'), () => false);
  return (
    <Loaded data={before}>
      {(old) => (
        <Loaded data={after}>
          {(now) =>
            old.text === undefined || now.text === undefined ? (
              <FileView run={run} of="run" path={path} />
            ) : (
              <Lines before={old.text} after={now.text} path={path} cut={old.cut || now.cut} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

function Lines({
  after,
  before,
  cut,
  path,
}: {
  readonly before: string;
  readonly after: string;
  readonly cut: boolean;
  readonly path: string;
}) {
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  return (
    <>
      {cut && <p class="note">The first 256 KiB of both are compared.</p>}
      <pre class="block diff" tabIndex={0} aria-label={`changes of ${path}`}>
        {lines.map(({ kind, text }, at) => (
          <span key={at} class={kind}>
            {SIGNS[kind]} <Text>{text}</Text>
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  );
}
