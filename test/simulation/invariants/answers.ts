import type { EventOf } from '../../../shared/domain/item.ts';
import type { Part } from '../../../shared/domain/message.ts';
import { isSettled, isTerminal } from '../../../shared/domain/status.ts';
import type { Connection, Read, Record } from '../record.ts';
import { printOfEvent, printOfTask, type Tale } from './tale.ts';

/** The journal tells each revision's events once, in order, from 1 without a gap (G3). */
export function journalTellsEachEventOnce({ events, journal, run }: Tale): string | undefined {
  const wanted = events.map(printOfEvent);
  const told = journal.map(printOfEvent);
  const at = wanted.findIndex((event, index) => event !== told[index]);
  if (at >= 0) return `event ${at + 1} of ${run.taskId} should be ${wanted[at]} and is ${told[at]}`;
  const dated = journal.findIndex((event, index) => !hasItsTime(event, events[index]));
  if (dated >= 0) return `event ${dated + 1} of ${run.taskId} has another time than its artifact`;
  return told.length === wanted.length
    ? undefined
    : `${run.taskId} has ${told.length - wanted.length} events too many`;
}

/** A later piece may not know when its artifact was begun; none has another time. */
function hasItsTime(event: EventOf<Part>, wanted: EventOf<Part> | undefined): boolean {
  if (event.kind !== 'artifact' || wanted?.kind !== 'artifact') return true;
  return event.at === undefined ? event.append : event.at === wanted.at;
}

/** Inside one revision, artifacts come before the state that ends it (G2). */
export function artifactsComeBeforeTheState({
  events,
  counts,
  run,
  tasks,
}: Tale): string | undefined {
  for (const [at, end] of counts.entries()) {
    const told = events.slice(counts[at - 1] ?? 0, end);
    const state = tasks[at]?.status.state ?? '';
    const final = told.findIndex(
      (event) => event.kind === 'status' && event.state === state && isTerminal(state),
    );
    if (final >= 0 && final !== told.length - 1)
      return `revision ${at + 1} of ${run.taskId} goes on after ${state}`;
  }
  return undefined;
}

/**
 * Every answer shows the task as it was after some committed revision, and no answer shows less
 * than one that was complete before it was asked for (G2): all reads lie on one line, in the order
 * in which they were made.
 */
export function readsFollowOneLine(tale: Tale, record: Record): string | undefined {
  const prints = tale.tasks.map(printOfTask);
  const placed: { readonly ended: number; readonly revision: number }[] = [];
  const reads = record.reads.filter(({ taskId }) => taskId === tale.run.taskId);
  for (const read of reads.toSorted((a, b) => a.began - b.began)) {
    const least = Math.max(
      1,
      ...placed.filter(({ ended }) => ended < read.began).map(({ revision }) => revision),
    );
    const revision = placeOf(read, prints, least);
    if (revision === undefined)
      return `an answer shows ${printOfTask(read.task)}, which no revision from ${least} on is`;
    if (revision > read.committed)
      return `an answer shows revision ${revision} before it was committed`;
    placed.push({ ended: read.ended, revision });
  }
  return undefined;
}

function placeOf(read: Read, prints: readonly string[], least: number): number | undefined {
  const print = printOfTask(read.task);
  const at = prints.findIndex((each, index) => index + 1 >= least && each === print);
  return at < 0 ? undefined : at + 1;
}

/**
 * What an answer showed is in every later one: no artifact vanishes, no message is taken back (G2,
 * G9).
 */
export function nothingShownIsLost({ tasks, run }: Tale): string | undefined {
  for (const [at, task] of tasks.entries()) {
    const next = tasks[at + 1];
    if (next === undefined) break;
    const ids = new Set(next.artifacts.map(({ artifactId }) => artifactId));
    const gone = task.artifacts.find(({ artifactId }) => !ids.has(artifactId));
    if (gone !== undefined)
      return `${run.taskId} lost its artifact ${gone.artifactId} at revision ${at + 2}`;
    const kept = next.history.slice(0, task.history.length).map(({ messageId }) => messageId);
    if (kept.join() !== task.history.map(({ messageId }) => messageId).join())
      return `${run.taskId} lost history at revision ${at + 2}`;
  }
  return undefined;
}

/**
 * A stream is an unbroken stretch of the journal: behind its snapshot, or behind where it resumed,
 * each event once (G2).
 */
export function streamsAreStretches(tale: Tale, record: Record): string | undefined {
  for (const connection of record.connections.filter(({ taskId }) => taskId === tale.run.taskId)) {
    const problem = streamProblem(tale, connection);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function streamProblem(tale: Tale, { afterSeq, frames, ended }: Connection): string | undefined {
  let seq = afterSeq;
  let last: EventOf<Part> | undefined;
  for (const frame of frames) {
    if (frame.kind === 'task' && afterSeq !== undefined) {
      const said = tale.events.slice(0, afterSeq).findLast((event) => event.kind === 'status');
      const state = said?.kind === 'status' ? said.state : 'SUBMITTED';
      const { artifacts, history, status } = frame.task;
      if (frame !== frames[0] || frame.seq !== afterSeq || status.state !== state)
        return `a stream resumed with ${status.state} at event ${frame.seq}`;
      if (artifacts.length + history.length > 0) return 'a stream resumed with content';
    } else if (frame.kind === 'task') {
      const print = printOfTask(frame.task);
      const { accepted, counts, tasks } = tale;
      const begins = frame.seq === 1 && accepted && printOfTask(accepted) === print;
      const shown =
        begins || tasks.some((task, at) => counts[at] === frame.seq && printOfTask(task) === print);
      if (seq !== undefined || !shown) return `a stream began with ${print} at event ${frame.seq}`;
    } else {
      const wanted = tale.events[frame.seq - 1];
      if (frame.seq !== (seq ?? 0) + 1) return `a stream went from event ${seq} to ${frame.seq}`;
      if (wanted === undefined || printOfEvent(wanted) !== printOfEvent(frame.event))
        return `a stream showed event ${frame.seq} otherwise`;
      last = frame.event;
    }
    seq = frame.seq;
  }
  const first = frames[0];
  const state =
    last?.kind === 'status' ? last.state : first?.kind === 'task' ? first.task.status.state : '';
  if (ended && !isSettled(state)) return `a stream ended at ${state}`;
  return undefined;
}
