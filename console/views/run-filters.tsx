import { useData } from '../data.ts';
import type { Me } from '../wire.ts';
import { statusWords } from '../parts/words.ts';

const STATUSES = [
  'open',
  'ended',
  'queued',
  'running',
  'waiting_for_approval',
  'waiting_for_input',
  'waiting_for_dependency',
  'waiting_for_event',
  'waiting_for_circuit',
  'sleeping',
  'completed',
  'failed',
  'cancelled',
  'rejected',
];
const WAITING = [
  ['unknown-send', 'unknown sends'],
  ['blocked', 'blocked'],
] as const;

interface RunFiltersProps {
  readonly query: URLSearchParams;
  readonly onChange: (query: URLSearchParams) => void;
}

/** The filters of a list of runs. They are in the address, so that it can be kept and sent. */
export function RunFilters({ onChange, query }: RunFiltersProps) {
  const me = useData<Me>('/me', () => false);
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    onChange(next);
  };
  const choice = (name: string, title: string, choices: readonly (readonly [string, string])[]) => (
    <label>
      <span>{title}</span>
      <select
        value={query.get(name) ?? ''}
        onChange={({ currentTarget }) => set(name, currentTarget.value)}
      >
        <option value="">any</option>
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
  const text = (name: string, title: string, placeholder: string) => (
    <label>
      <span>{title}</span>
      <input
        type="search"
        value={query.get(name) ?? ''}
        placeholder={placeholder}
        onChange={({ currentTarget }) => set(name, currentTarget.value.trim())}
      />
    </label>
  );
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      {choice(
        'status',
        'Status',
        STATUSES.map((each) => [each, statusWords(each)]),
      )}
      {choice(
        'agent',
        'Agent',
        (me.value?.agents ?? []).map(({ name }) => [name, name]),
      )}
      {choice('waitingFor', 'Attention', WAITING)}
      {text('context', 'Context', 'id')}
      <details class="more" open={MORE.some((name) => query.has(name))}>
        <summary>More</summary>
        <div>
          {text('reason', 'Reason', 'AGENT_FAILED')}
          {text('caller', 'Caller', 'whose runs')}
          <label>
            <span>Changed since</span>
            <input
              type="datetime-local"
              value={localOf(query.get('since'))}
              onChange={({ currentTarget }) => set('since', instantOf(currentTarget.value))}
            />
          </label>
          <label>
            <span>Changed before</span>
            <input
              type="datetime-local"
              value={localOf(query.get('until'))}
              onChange={({ currentTarget }) => set('until', instantOf(currentTarget.value))}
            />
          </label>
        </div>
      </details>
      {query.size > 0 && (
        <button type="button" onClick={() => onChange(new URLSearchParams())}>
          Clear
        </button>
      )}
    </form>
  );
}

const MORE = ['reason', 'caller', 'since', 'until'];

/** An instant as the field has it: in the reader's own time zone, to the minute. */
function localOf(instant: string | null): string {
  if (instant === null || !Number.isFinite(Date.parse(instant))) return '';
  return new Date(instant).toLocaleString('sv').replace(' ', 'T').slice(0, 16);
}

const instantOf = (local: string): string => (local === '' ? '' : new Date(local).toISOString());
