import type { Millis } from '../../shared/domain/brand.ts';
import type { Remote } from '../../shared/domain/remote.ts';
import type { TaskState } from '../../shared/domain/status.ts';
import { simulated } from './simulated-settings.ts';

/** How a remote agent behaves. */
export interface Manner {
  /** How long a task of it works. */
  readonly span: Millis;
  readonly end: TaskState | 'gone' | 'unusable';
  readonly result: string;
  /** It can say which tasks a context has. */
  readonly lists: boolean;
  /**
   * Whether a message makes a task: at once, at the second time, not at all, unheard of; or it is
   * answered with a message.
   */
  readonly takes: 'a task' | 'later' | 'never' | 'unheard' | 'with a message';
}

const usual: Manner = {
  span: 180,
  end: 'COMPLETED',
  result: 'it is done',
  lists: true,
  takes: 'a task',
};
const FOREVER: Millis = 1_000_000_000;
/** Over the simulation's inline limit. */
const LONG_RESULT = 'a long answer '.repeat(400);

export const MANNERS: { readonly [remote: string]: Manner } = {
  quick: usual,
  instant: { ...usual, span: 0 },
  verbose: { ...usual, span: 90, result: LONG_RESULT },
  mute: { ...usual, span: 400, lists: false },
  failing: { ...usual, end: 'FAILED' },
  asking: { ...usual, end: 'INPUT_REQUIRED' },
  guarded: { ...usual, end: 'AUTH_REQUIRED' },
  vanishing: { ...usual, end: 'gone' },
  garbled: { ...usual, end: 'unusable' },
  endless: { ...usual, span: FOREVER },
  /** Longer than a run may take. */
  eternal: { ...usual, span: FOREVER },
  busy: { ...usual, takes: 'later' },
  refusing: { ...usual, takes: 'never' },
  silent: { ...usual, takes: 'unheard', lists: false },
  talking: { ...usual, takes: 'with a message' },
};

export function remoteNamed(name: string): Remote {
  return {
    name,
    description: 'A remote agent of the simulation.',
    card: `https://${name}.example/.well-known/agent-card.json`,
    pollInterval: simulated.pollInterval,
    deadline: name === 'eternal' ? 100_000 : simulated.dependencyDeadline,
    messageBytes: 10_000,
    answerBytes: 100_000,
    approval: false,
    push: false,
  };
}
