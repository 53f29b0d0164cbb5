import type { Transcript } from '../../shared/app/transcript.ts';
import { NOTHING_SPENT } from '../../shared/domain/budget.ts';

const unused = (): Promise<never> => Promise.reject(new Error('this agent works without steps'));

/** For agents that are a plain function. */
export const noTranscript: Transcript = {
  load: unused,
  append: unused,
  begin: unused,
  delegate: unused,
  signals: unused,
  signal: unused,
  publicDigest: unused,
  maySumUp: () => Promise.resolve(true),
  delegates: true,
  spent: NOTHING_SPENT,
  limits: {},
  continuation: undefined,
  timeLeft: 480_000,
};
