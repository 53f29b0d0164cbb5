import { useState } from 'preact/hooks';
import { type Refusal, send } from '../api.ts';
import { refusalOf } from '../asking.ts';
import { keepFile } from '../browser.ts';
import { useData } from '../data.ts';
import { Loaded, Problem } from '../parts/page.tsx';
import { Block, Text } from '../parts/text.tsx';
import { countWords, numberWords } from '../parts/words.ts';
import type { FileContent } from '../wire.ts';
import { nameIn } from './folder.ts';

interface FileViewProps {
  readonly run: string;
  readonly of: 'run' | 'context' | 'before';
  readonly path: string;
}

/** One file, as the text that it is; another is downloaded. */
export function FileView({ of, path, run }: FileViewProps) {
  const query = new URLSearchParams({ of, path }).toString();
  const base = `/runs/${encodeURIComponent(run)}`;
  const data = useData<FileContent>(`${base}/file?${query}`, () => false);
  return (
    <section class="file" aria-label={path}>
      <header>
        <strong>
          <Text>{path}</Text>
        </strong>
        <Download from={`${base}/download?${query}`} name={nameIn(path)} />
      </header>
      <Loaded data={data}>
        {({ bytes, cut, kind, text }) => (
          <>
            <p class="note">
              {kind === 'link' ? 'a link, to' : countWords(bytes, 'byte')}
              {cut && `; the first ${numberWords(256)} KiB are shown`}
              {text === undefined && '; it is no text'}
            </p>
            {text !== undefined && <Block label={`content of ${path}`}>{text}</Block>}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Download({ from, name }: { readonly from: string; readonly name: string }) {
  const [error, setError] = useState<Refusal | undefined>(undefined);
  const download = (): void => {
    setError(undefined);
    // The token goes in a header, which no link can send.
    send(from, { method: 'GET' })
      .then(async (response) => keepFile(await response.blob(), name))
      .catch((thrown: unknown) => setError(refusalOf(thrown)));
  };
  return (
    <>
      <button type="button" onClick={download}>
        Download
      </button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}
