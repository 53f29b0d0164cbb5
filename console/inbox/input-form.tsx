import { useId, useState } from 'preact/hooks';
import { Problem } from '../parts/page.tsx';
import type { Refusal } from '../api.ts';
import { refusalOf } from '../asking.ts';
import { type Field, fieldsOf, filled, jsonIn } from './form-fields.ts';

interface InputFormProps {
  /** JSON Schema of what is asked for; undefined: words. */
  readonly schema: unknown;
  readonly onInput: (input: unknown) => Promise<void>;
}

/** Takes what a run asks for: by fields of its schema, as JSON, or as words. */
export function InputForm({ onInput, schema }: InputFormProps) {
  const fields = fieldsOf(schema);
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const [state, setState] = useState<{ busy: boolean; error?: Refusal }>({ busy: false });
  const set = (name: string, value: string): void => {
    setProblem('');
    setEntered((old) => ({ ...old, [name]: value }));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const found = dataOf(fields, schema, entered);
    if (found.kind === 'problem') {
      setProblem(found.words);
      return;
    }
    setState({ busy: true });
    onInput(found.data)
      .then(() => setState({ busy: false }))
      .catch((error: unknown) => setState({ busy: false, error: refusalOf(error) }));
  };
  return (
    <form class="input-form" onSubmit={submit} noValidate>
      {fields === undefined ? (
        <Whole
          json={schema !== undefined}
          value={entered[''] ?? ''}
          onChange={(text) => set('', text)}
        />
      ) : (
        fields.map((field) => (
          <FieldEntry
            key={field.name}
            field={field}
            value={entered[field.name] ?? ''}
            onChange={(text) => set(field.name, text)}
          />
        ))
      )}
      {problem !== '' && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      {state.error !== undefined && <Problem error={state.error} />}
      <button type="submit" class="primary" disabled={state.busy}>
        {state.busy ? 'Working…' : 'Give it'}
      </button>
    </form>
  );
}

function dataOf(
  fields: readonly Field[] | undefined,
  schema: unknown,
  entered: Readonly<Record<string, string>>,
): ReturnType<typeof filled> {
  if (fields !== undefined) return filled(fields, entered);
  const text = entered[''] ?? '';
  if (text.trim() === '') return { kind: 'problem', field: '', words: 'Nothing is filled in.' };
  if (schema === undefined) return { kind: 'data', data: text };
  const data = jsonIn(text);
  return data === undefined
    ? { kind: 'problem', field: '', words: 'It must be JSON.' }
    : { kind: 'data', data };
}

interface EntryProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Whole({ json, onChange, value }: EntryProps & { readonly json: boolean }) {
  return (
    <label>
      <span>{json ? 'Answer, as JSON' : 'Answer'}</span>
      <textarea value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

function FieldEntry({ field, onChange, value }: EntryProps & { readonly field: Field }) {
  const { choices, help, kind, maxLength, required, title } = field;
  const id = useId();
  const more = { id, 'aria-describedby': `${id}-help`, 'aria-required': required };
  const given = choices ?? (kind === 'boolean' ? ['true', 'false'] : undefined);
  return (
    <div class="field">
      <label for={id}>
        {title}
        {required ? '' : ' (may be left empty)'}
      </label>
      {given !== undefined ? (
        <select
          {...more}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          <option value="">choose</option>
          {given.map((choice) => (
            <option key={choice} value={choice}>
              {choice.replace(/^"(.*)"$/, '$1')}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea
          {...more}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...more}
          type="text"
          inputMode={kind === 'text' ? 'text' : 'decimal'}
          {...(maxLength !== undefined && { maxLength })}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <span id={`${id}-help`} class="note">
        {help}
      </span>
    </div>
  );
}
