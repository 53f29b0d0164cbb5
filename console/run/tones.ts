/** How the parts of a run are coloured; a word always says the same. */
export type Tone = 'idle' | 'busy' | 'person' | 'remote' | 'good' | 'bad';

const STATES: Readonly<Record<string, Tone>> = {
  SUBMITTED: 'idle',
  WORKING: 'busy',
  INPUT_REQUIRED: 'person',
  AUTH_REQUIRED: 'person',
  COMPLETED: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
  CANCELED: 'idle',
};

export const toneOfState = (state: string): Tone => STATES[state] ?? 'idle';

const SENDS: Readonly<Record<string, Tone>> = {
  prepared: 'busy',
  acknowledged: 'good',
  refused: 'bad',
  not_sent: 'bad',
  outcome_unknown: 'person',
  superseded: 'idle',
  abandoned: 'idle',
};

export const toneOfSend = (state: string): Tone => SENDS[state] ?? 'idle';
