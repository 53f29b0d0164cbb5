import { useState } from 'preact/hooks';
import { useData } from '../data.ts';
import { Empty, Loaded } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { countWords } from '../parts/words.ts';
import type { RunFiles } from '../wire.ts';
import { FileView } from './file-view.tsx';
import { type Folder, folderOf, nameIn } from './folder.ts';

type File = RunFiles['files'][number];

/** Whose files: those of a run, or what the next task of its context begins with. */
export type FilesOf = 'run' | 'context';

interface FilesProps {
  readonly run: string;
  readonly of: FilesOf;
}

/** Folders and files, and the one that is looked at. */
export function Files({ of, run }: FilesProps) {
  const data = useData<RunFiles>(`/runs/${encodeURIComponent(run)}/files?of=${of}`, () => false);
  const [path, setPath] = useState<string | undefined>(undefined);
  return (
    <Loaded data={data}>
      {({ files, more, own }) =>
        files.length === 0 ? (
          <Empty title="There is no file." />
        ) : (
          <div class="files">
            <div class="tree">
              {of === 'run' && !own && <p class="note">It began with these, and left none yet.</p>}
              <Below folder={folderOf(files)} open={path} choose={setPath} />
              {more > 0 && <p class="note">{countWords(more, 'more entry', 'more entries')}</p>}
            </div>
            {path === undefined ? (
              <p class="note">Choose a file to see what is in it.</p>
            ) : (
              <FileView key={path} run={run} of={of} path={path} />
            )}
          </div>
        )
      }
    </Loaded>
  );
}

interface BelowProps {
  readonly folder: Folder<File>;
  readonly open: string | undefined;
  readonly choose: (path: string) => void;
}

function Below({ choose, folder, open }: BelowProps) {
  return (
    <ul>
      {folder.folders.map((each) => (
        <li key={each.path}>
          <Closed folder={each} open={open} choose={choose} />
        </li>
      ))}
      {folder.files.map(({ kind, path }) => (
        <li key={path}>
          <button
            type="button"
            class="quiet"
            {...(path === open && { 'aria-current': 'true' as const })}
            onClick={() => choose(path)}
          >
            <Text>{nameIn(path)}</Text>
          </button>
          {kind !== 'file' && <span class="note"> {kind}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What lies in a folder is drawn when it is opened. */
function Closed(props: BelowProps) {
  const { folder } = props;
  const [shown, setShown] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>
        <Text>{nameIn(folder.path)}</Text>/ <span class="note">{folder.count}</span>
      </summary>
      {shown && <Below {...props} />}
    </details>
  );
}
