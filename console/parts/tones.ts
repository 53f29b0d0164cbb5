/** How the parts of a run are coloured; a word always says the same. */
export type Tone = 'idle' | 'busy' | 'person' | 'remote' | 'good' | 'bad';

/** Of A2A's own states, as a caller sees them. */
export const STATES: Readonly<Record<string, Tone>> = {
  SUBMITTED: 'idle',
  WORKING: 'busy',
  INPUT_REQUIRED: 'person',
  AUTH_REQUIRED: 'person',
  COMPLETED: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
  CANCELED: 'idle',
};
