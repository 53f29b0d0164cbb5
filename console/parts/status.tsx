import { STATES } from './tones.ts';
import { statusWords } from './words.ts';

const TONES: Readonly<Record<string, string>> = {
  queued: 'idle',
  running: 'busy',
  waiting_for_approval: 'person',
  waiting_for_input: 'person',
  waiting_for_dependency: 'remote',
  waiting_for_event: 'remote',
  waiting_for_circuit: 'remote',
  sleeping: 'idle',
  completed: 'good',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'idle',
  outcome_unknown: 'person',
  acknowledged: 'good',
  refused: 'bad',
  blocked: 'bad',
  ...STATES,
};

const SIGNS: Readonly<Record<string, string>> = {
  idle: '○',
  busy: '●',
  person: '◆',
  remote: '◇',
  good: '✓',
  bad: '✕',
};

/** A status by a sign, in words and in a colour: never by the colour alone. */
export function Status({ status }: { readonly status: string }) {
  const tone = TONES[status] ?? 'idle';
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {statusWords(status)}
    </span>
  );
}
