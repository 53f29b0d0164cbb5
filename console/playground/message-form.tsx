import { useState } from 'preact/hooks';
import { jsonIn } from '../inbox/form-fields.ts';
import type { WirePart } from './conversation.ts';

interface MessageFormProps {
  readonly busy: boolean;
  /** The task asks, and what is sent answers it. */
  readonly answers: boolean;
  readonly onSend: (parts: readonly WirePart[]) => void;
}

/** A request to the operators' API holds a mebibyte, and base64 takes four characters for three. */
const LARGEST = 700_000;

/** Takes a message: text, a file, data as JSON, or several of them. */
export function MessageForm({ answers, busy, onSend }: MessageFormProps) {
  const [text, setText] = useState('');
  const [data, setData] = useState('');
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const value = data.trim() === '' ? undefined : jsonIn(data);
    const wrong = problemOf({ data, file, text, value });
    setProblem(wrong);
    if (wrong !== '') return;
    void partOfFile(file).then((parts) => {
      onSend([
        ...(text === '' ? [] : [{ text }]),
        ...(value === undefined ? [] : [{ data: value }]),
        ...parts,
      ]);
      setText('');
      setData('');
      setFile(undefined);
      if (form instanceof HTMLFormElement) form.reset();
    });
  };
  return (
    <form class="input-form message-form" onSubmit={submit} noValidate>
      <label>
        <span>{answers ? 'Your answer' : 'Message'}</span>
        <textarea value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <details class="more">
        <summary>Data or a file</summary>
        <div>
          <label class="field">
            <span>Data, as JSON</span>
            <textarea value={data} onInput={({ currentTarget }) => setData(currentTarget.value)} />
          </label>
          <label class="field">
            <span>File, of 700 KB at most</span>
            <input
              type="file"
              onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
            />
          </label>
        </div>
      </details>
      {problem !== '' && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={busy}>
        {busy ? 'Working…' : answers ? 'Answer' : 'Send'}
      </button>
    </form>
  );
}

interface Entered {
  readonly text: string;
  readonly data: string;
  readonly value: unknown;
  readonly file: File | undefined;
}

function problemOf({ data, file, text, value }: Entered): string {
  if (data.trim() !== '' && value === undefined) return 'The data is no JSON.';
  if (file !== undefined && file.size > LARGEST) return 'The file is over 700 KB.';
  return text === '' && value === undefined && file === undefined
    ? 'There is nothing to send.'
    : '';
}

async function partOfFile(file: File | undefined): Promise<readonly WirePart[]> {
  if (file === undefined) return [];
  const bytes = new Uint8Array(await file.arrayBuffer());
  const raw = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const { name: filename, type } = file;
  return [{ raw, filename, ...(type !== '' && { mediaType: type }) }];
}
