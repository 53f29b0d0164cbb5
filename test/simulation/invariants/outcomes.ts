import type { Part } from '../../../shared/domain/message.ts';
import { isTerminal } from '../../../shared/domain/status.ts';
import type { Task } from '../../../shared/domain/task.ts';
import type { FaultKind } from '../faults.ts';
import { CHAPTERS, LARGE, LONG_TEXT } from '../scripted-agents.ts';
import { simulated } from '../simulated-settings.ts';
import type { Tale } from './tale.ts';

/** What each agent has to show when it is done: just that, whatever its run went through. */
const RESULTS: {
  readonly [agent: string]: {
    readonly words: string;
    readonly artifacts: { readonly [id: string]: string };
  };
} = {
  short: { words: 'short work done', artifacts: {} },
  slow: { words: 'slow work done', artifacts: {} },
  patient: { words: 'patient work done', artifacts: {} },
  stream: { words: 'told', artifacts: { story: CHAPTERS.join(), note: 'the end' } },
  burst: {
    words: 'told at once',
    artifacts: { story: CHAPTERS.map((text) => text + ' '.repeat(900)).join() },
  },
  asks: {
    words: 'thank you',
    artifacts: { log: 'asked,answered', 'artifact-2': 'first', 'artifact-4': 'second' },
  },
  discreet: {
    words: 'a [removed] is told',
    artifacts: {
      // Where answers are redacted, its pieces are one text.
      story: CHAPTERS.slice(0, 3)
        .map((text) => `${text} [removed] `)
        .join(''),
      // Of a long text the first 2,000 characters are kept.
      book: `[removed] ${LONG_TEXT.slice(0, 2_000 - 'secret-at-length '.length)}…`,
    },
  },
  keeps: { words: 'kept', artifacts: {} },
  'keeps-asking': { words: 'kept', artifacts: {} },
  'keeps-parallel': { words: 'kept', artifacts: {} },
  'keeps-clashing': { words: 'kept', artifacts: {} },
  later: { words: 'at last', artifacts: { story: 'one' } },
  large: {
    words: 'large work done',
    artifacts: {
      picture: Buffer.from(LARGE).toString('hex'),
      book: `${LONG_TEXT},${JSON.stringify({ n: 1 })}`,
      table: JSON.stringify({ text: LONG_TEXT }),
    },
  },
};

/**
 * A COMPLETED task has its whole result, nothing missing and nothing twice, although its run may
 * have begun several times (G1).
 */
export function completedTaskHasItsResult({ run, tasks }: Tale): string | undefined {
  const task = tasks.at(-1);
  if (run.status !== 'completed' || task === undefined) return undefined;
  const wanted = RESULTS[run.agent];
  if (wanted === undefined) return undefined;
  const words = textOf(task.status.message?.parts ?? []);
  if (words !== wanted.words) return `${run.taskId} says ${JSON.stringify(words)}`;
  const shown = Object.fromEntries(
    task.artifacts.map(({ artifactId, parts }) => [artifactId, textOf(parts)]),
  );
  for (const id of new Set([...Object.keys(wanted.artifacts), ...Object.keys(shown)])) {
    if (shown[id] !== wanted.artifacts[id])
      return `artifact ${id} of ${run.agent} ${run.taskId} is ${JSON.stringify(shown[id])}`;
  }
  return undefined;
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('raw' in part) return Buffer.from(part.raw).toString('hex');
      return 'data' in part ? JSON.stringify(part.data) : part.url;
    })
    .join();
}

/**
 * How tasks of each agent may end; the reasons in brackets only if a worker was lost or a store did
 * not answer for long.
 */
const ENDS: { readonly [agent: string]: readonly string[] } = {
  fails: ['FAILED AGENT_FAILED'],
  throws: ['FAILED AGENT_FAILED'],
  rejects: ['REJECTED'],
  hangs: ['FAILED DEADLINE_EXCEEDED'],
  overspends: ['FAILED DELEGATIONS_EXCEEDED'],
  'with-eternal': ['FAILED DEADLINE_EXCEEDED'],
};
/** How they may end as soon as anything goes wrong at the wrong moment. */
const UNLUCKY: { readonly [agent: string]: readonly string[] } = {
  // The pauses before a message leaves again are longer than a segment of the simulation.
  'with-busy': ['FAILED DEADLINE_EXCEEDED'],
  pays: ['FAILED EFFECT_UNKNOWN'],
  'asks-leave': ['FAILED EFFECT_UNKNOWN'],
  'asks-leave-twice': ['FAILED EFFECT_UNKNOWN'],
  'asks-leave-thinking': ['FAILED EFFECT_UNKNOWN'],
  'asks-leave-in-steps': ['FAILED EFFECT_UNKNOWN'],
};
const TROUBLE = ['FAILED ATTEMPTS_EXHAUSTED', 'FAILED DEADLINE_EXCEEDED'];
/** What may pass ends no run before the time of a segment is over. */
const LONG_TROUBLE = [...TROUBLE, 'FAILED RESULT_NOT_STORED'];

/**
 * A run ends as its agent ends it; a hanging one at its deadline. One fault alone, unless it lasts,
 * is survived without a trace.
 */
export function runEndsAsItsAgentDoes(
  { run, tasks }: Tale,
  faults: readonly FaultKind[],
  cancelled: boolean,
): string | undefined {
  const task = tasks.at(-1);
  if (task === undefined || !isTerminal(task.status.state)) return undefined;
  const troubled = faults.length > 1 || faults.includes('outage');
  const long = run.statusAt - run.createdAt >= simulated.segment;
  const wanted = [
    ...(ENDS[run.agent] ?? ['COMPLETED']),
    ...(cancelled ? ['CANCELED'] : []),
    ...(faults.length > 0 ? (UNLUCKY[run.agent] ?? []) : []),
    ...(troubled ? (long ? LONG_TROUBLE : TROUBLE) : []),
  ];
  const ended = endOf(task);
  return wanted.includes(ended) ? undefined : `${run.agent} ${run.taskId} ended ${ended}`;
}

export function endOf(task: Task): string {
  const reason = task.metadata?.['reason'];
  return typeof reason === 'string' ? `${task.status.state} ${reason}` : task.status.state;
}
