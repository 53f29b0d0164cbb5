import type { z } from 'zod';
import type { Timeline } from '../app/operators/run-timeline.ts';
import { sendName } from '../app/operators/unresolved-send.ts';
import type { ShownError } from '../app/operators/run-trail.ts';
import type { Run } from '../domain/run.ts';
import type { Settings } from '../domain/settings.ts';
import type { SegmentTimes } from '../domain/segment-times.ts';
import { askedJson } from './asked-schema.ts';
import { changesJson } from './blocked-row.ts';
import { errorOf, rowOf } from './run-row.ts';
import type { timeline as schema } from './timeline-schemas.ts';

type Wire = z.input<typeof schema>;

/** The keys of an object whose values are there. */
function present<T extends object>(given: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(pairs) as { [K in keyof T]?: NonNullable<T[K]> };
}

const filesOf = ({ files }: Run): Wire['files'] =>
  files && { count: files.commit?.count ?? 0, bytes: files.commit?.bytes ?? 0 };

/** A run and how it came to its present state, as the API shows it. */
export function timelineOf(found: Timeline, settings: Settings): Wire {
  const { acts, decisions, limits, may, pauses, revisions, run, sends, steps } = found;
  const named = (messageId: string | null): string | null =>
    messageId === null ? null : sendName(run.taskId, messageId);
  return {
    ...rowOf(found, settings, found.words),
    ...(may.has('view') && { owner: run.owner }),
    tenant: run.tenant,
    fence: run.fence,
    attempts: run.attempts,
    deadlineAt: run.deadlineAt,
    ...present({ purgeAt: run.purgeAt }),
    spent: run.spent,
    ...present({ models: run.models?.map((use) => ({ ...use })) }),
    limits,
    ...present({ files: filesOf(run) }),
    ...present({ dependency: dependencyOf(run, found) }),
    ...(found.changes.length > 0 && { changes: changesJson(found.changes) }),
    ...(found.asked !== undefined && { asked: askedJson(found.asked) }),
    timeline: revisions.map(({ at, revision, state }) => ({ at, revision, state })),
    segments: run.segments.map(segmentOf),
    steps: steps.map(({ content, doc: { at, fence, kind, step } }) => ({
      at,
      fence,
      kind,
      step,
      content,
    })),
    sends: sends.map(({ card, content, doc, known }) => ({
      id: sendName(run.taskId, doc.messageId),
      remote: doc.remote,
      state: known,
      callId: doc.callId,
      contextId: doc.contextId,
      preparedAt: doc.preparedAt,
      ...present({
        card,
        reason: doc.reason,
        digest: may.has('view') ? doc.digest : undefined,
        settledAt: doc.settledAt,
        replaces: named(doc.replaces),
        replacedBy: named(doc.replacedBy),
        cancelledAt: doc.cancelledAt,
        cancelled: doc.cancelled,
      }),
      content,
    })),
    pauses: pauses.map(
      ({ content, doc: { at, generation, kind, resolution, resolvedAt, sendId } }) => ({
        at,
        generation,
        kind,
        ...present({ send: named(sendId), resolution, resolvedAt }),
        content,
      }),
    ),
    decisions: decisions.map(({ content, doc, fate }) => {
      const { by, generation, id, kind, mode, settledAt, storedAt } = doc;
      return {
        id,
        generation,
        kind,
        by,
        mode,
        state: fate,
        storedAt,
        ...present({ settledAt }),
        content,
      };
    }),
    events: found.signals.map(({ content, doc: { at, by, name, number } }) => ({
      number,
      name,
      at,
      by,
      content,
    })),
    errors: found.errors.map(errorJson),
    acts: acts.map(({ act: { at, kind, sendId, task }, operator }) => ({
      kind,
      at,
      ...present({ send: named(sendId ?? null), run: task, operator }),
    })),
  };
}

/** What the agent's code threw, as the API shows it. */
export const errorJson = ({ error, words }: ShownError): Wire['errors'][number] =>
  errorOf(error, words);

function dependencyOf(run: Run, { remoteTask }: Timeline): Wire['dependency'] {
  if (run.status !== 'waiting_for_dependency') return undefined;
  const { failures, nextPollAt, polls, sendId } = run.dependency;
  return {
    nextLookAt: nextPollAt,
    looks: polls,
    failures,
    send: sendName(run.taskId, sendId),
    ...(remoteTask !== undefined && { operation: remoteTask }),
  };
}

function segmentOf(times: SegmentTimes): Wire['segments'][number] {
  const { claimed, committed, dispatched, enqueued, fence } = times;
  return {
    fence,
    enqueued,
    dispatched,
    claimed,
    waited: claimed - enqueued,
    ...(committed !== undefined && { committed, worked: committed - claimed }),
  };
}
