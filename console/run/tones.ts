import { STATES, type Tone } from '../parts/tones.ts';

export type { Tone };

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
