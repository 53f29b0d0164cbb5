import { useState } from 'preact/hooks';
import { useData } from '../data.ts';
import { ShortId } from '../parts/id.tsx';
import { Loaded } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { countWords, numberWords } from '../parts/words.ts';
import { link } from '../router.ts';
import type { Commits as CommitList, RunFiles } from '../wire.ts';
import { ChangedFile } from './changed-file.tsx';

type Commit = CommitList['commits'][number];
type Change = NonNullable<RunFiles['changes']>[number];

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;

/** The commits of a context, the newest first, and what each changed. */
export function Commits({ commits }: { readonly commits: readonly Commit[] }) {
  return (
    <ul class="lines commits">
      {commits.map((commit) => (
        <li key={commit.id}>
          <OneCommit commit={commit} />
        </li>
      ))}
    </ul>
  );
}

function OneCommit({ commit }: { readonly commit: Commit }) {
  const { at, branch, bytes, count, head, id, message, parents, task } = commit;
  const [shown, setShown] = useState(false);
  const merge = parents.length > 1;
  return (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>
        <code title={id}>{id.slice(0, 8)}</code> {head && <span class="status good">✓ newest</span>}
        {branch && <span class="status person">◆ beside the context</span>}{' '}
        <Text>{message.split('\n')[0] ?? ''}</Text>{' '}
        <span class="note">
          {countWords(count, 'file')}, {numberWords(bytes)} bytes, <Ago at={at} />
        </span>
      </summary>
      <p class="note">
        Of task <ShortId id={task} href={link('/runs', task)} />
        {merge && '; it merges what another task left meanwhile'}
      </p>
      {shown && !merge && <Changes run={task} />}
    </details>
  );
}

/** What a task changed of the files that it began with; each can be looked at. */
export function Changes({ run }: { readonly run: string }) {
  const data = useData<RunFiles>(`/runs/${encodeURIComponent(run)}/files?of=run`, () => false);
  return (
    <Loaded data={data}>
      {({ changes, own }) => {
        if (!own) return <p class="note">It has committed nothing.</p>;
        if (changes === undefined)
          return <p class="note">What was there before is not kept any more.</p>;
        if (changes.length === 0) return <p class="note">It changed nothing.</p>;
        return (
          <ul class="changed">
            {changes.map((each) => (
              <li key={each.path}>
                <OneChange run={run} {...each} />
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

function OneChange({ change, path, run }: Change & { readonly run: string }) {
  const [shown, setShown] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>
        <span class={`sign became-${change}`}>{SIGNS[change]}</span> <Text>{path}</Text>{' '}
        <span class="note">{change}</span>
      </summary>
      {shown && <ChangedFile run={run} path={path} change={change} />}
    </details>
  );
}
