import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { Act } from '../parts/act.tsx';
import type { MadeApiKey } from '../wire.ts';

const EMPTY = { owner: '', tenant: '', label: '', days: '' };
type Field = keyof typeof EMPTY;

/** Asks whose the key shall be, and hands on what was made. */
export function MakeKey({ onMade }: { readonly onMade: (made: MadeApiKey) => void }) {
  const [fields, setFields] = useState(EMPTY);
  const field = (name: Field, words: string, type: 'text' | 'number' = 'text') => (
    <label class="field">
      <span>{words}</span>
      <input
        {...(type === 'text'
          ? { type: 'text' as const }
          : { type: 'number' as const, min: 1, max: 3_650 })}
        class="wide"
        autocomplete="off"
        value={fields[name]}
        onInput={({ currentTarget: { value } }) => setFields((old) => ({ ...old, [name]: value }))}
      />
    </label>
  );
  return (
    <Act
      name="Make a key…"
      title="Make an API key?"
      act="Make it"
      done="The key is made, and shown once, at the top of the page."
      primary
      run={async () => {
        const { days, label, owner, tenant } = fields;
        onMade(
          await post<MadeApiKey>('/keys', {
            owner: owner.trim(),
            tenant: tenant.trim(),
            label: label.trim(),
            ...(days !== '' && { days: Number(days) }),
          }),
        );
        setFields(EMPTY);
      }}
    >
      <p>Who has it acts as its owner, on every agent.</p>
      {field('owner', 'Owner')}
      {field('tenant', 'Tenant, where there are several')}
      {field('label', 'Label, for you')}
      {field('days', 'Days until it expires; empty: until it is revoked', 'number')}
    </Act>
  );
}
