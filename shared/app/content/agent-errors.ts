import type { AgentError } from '../../domain/agent-error.ts';
import { strictest } from '../../domain/ceiling.ts';
import { errorWords } from '../../domain/error-words.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { REDACTED_CHARACTERS } from './redact-items.ts';
import type { SealingKey } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';

/** An error, and what may be known of it in clear. */
export interface NewAgentError extends Omit<AgentError, 'words'> {
  readonly error: unknown;
}

/** Binds the words to the error, so that they can't be moved to another one. */
const bindingOf = ({ at, fault, where }: Pick<AgentError, 'at' | 'fault' | 'where'>) =>
  ['agent error', at, where, fault] as const;

/**
 * An error as the run's row may keep it: its words only as far as both ceilings let them be, cut to
 * what is redacted of one text. Undefined where nothing may be kept. Throws Unavailable.
 */
export async function sealError(
  app: App,
  runKey: SealingKey,
  { answerCeiling, auditCeiling }: Run,
  { error, ...facts }: NewAgentError,
): Promise<AgentError | undefined> {
  const level = strictest(answerCeiling, auditCeiling);
  if (level === 'none') return undefined;
  if (level === 'metadata') return facts;
  const words = errorWords(error).slice(0, REDACTED_CHARACTERS);
  const [kept = ''] = level === 'full' ? [words] : await app.redactor.redact([words]);
  const sealed = seal(runKey, bindingOf(facts), app.ids.bytes(12), Buffer.from(kept));
  return { ...facts, words: sealed };
}

/** Undefined: there are none, or they can't be read any more. */
export async function errorWordsOf(
  runKey: SealingKey,
  error: AgentError,
): Promise<string | undefined> {
  const { words } = error;
  if (words === undefined) return undefined;
  const plain = await undefinedIfUnreadable(() =>
    Promise.resolve(unseal(runKey, bindingOf(error), words)),
  );
  return plain && Buffer.from(plain).toString('utf8');
}
