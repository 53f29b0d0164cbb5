import type { z } from 'zod';
import type { Right } from '../../shared/ports/grants.ts';
import { runRow } from '../../shared/operator/run-schemas.ts';
import { sendResponse } from '../../shared/operator/send-schemas.ts';
import { secondTry } from '../../shared/operator/try-schemas.ts';
import type { OperatorApi } from './client.ts';

type Row = z.input<typeof runRow>;

/** What one of many acts is about. */
export interface Subject {
  /** Of the run or the send. */
  readonly id: string;
  /** It was done before: at all, or at that time. */
  readonly done?: boolean;
  readonly doneAt?: number;
}

/** Something that can be done to many runs, one by one. */
export interface BulkVerb {
  readonly name: 'cancel' | 'abandon' | 'resend' | 'retry';
  /** Filters that count unless others of their name are given. */
  readonly always: Readonly<Record<string, string>>;
  readonly right: Right;
  /** Refusals that say that it is so already. */
  readonly over: readonly string[];
  question(count: number): string;
  /** Undefined: there is nothing to do to that run. */
  subjectOf(row: Row): Subject | undefined;
  act(client: OperatorApi, subject: Subject, asOf: number): Promise<unknown>;
}

const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);

const sendOf = ({ waitsFor }: Row): Subject | undefined => {
  if (waitsFor?.send === undefined) return undefined;
  const { resentAt, send } = waitsFor;
  return { id: send, ...(resentAt !== undefined && { doneAt: resentAt }) };
};

const TRIED = ['failed', 'rejected', 'cancelled'];

export const VERBS: Readonly<Record<BulkVerb['name'], BulkVerb>> = {
  cancel: {
    name: 'cancel',
    always: { status: 'open' },
    right: 'cancel',
    over: ['RUN_ENDED', 'TASK_NOT_CANCELABLE', 'RUN_NOT_FOUND'],
    question: (count) => `Cancel ${runs(count)}`,
    subjectOf: ({ id, open }) => (open ? { id } : undefined),
    act: (client, { id }) => client.post(`/runs/${id}/cancel`, {}, runRow),
  },
  abandon: {
    name: 'abandon',
    always: { waitingFor: 'unknown-send' },
    right: 'send',
    over: ['SEND_SETTLED', 'SEND_NOT_FOUND'],
    question: (count) => `Give up what ${runs(count)} sent, and let them go on without an answer`,
    subjectOf(row) {
      const subject = sendOf(row);
      return subject && { id: subject.id };
    },
    act: (client, { id }) => client.post(`/sends/${id}/abandon`, {}, sendResponse),
  },
  resend: {
    name: 'resend',
    always: { waitingFor: 'unknown-send' },
    right: 'send',
    over: ['SEND_SETTLED', 'SEND_NOT_FOUND'],
    question: (count) => `Send again what ${runs(count)} sent, although it may then arrive twice`,
    subjectOf: sendOf,
    act: (client, { id }) => client.post(`/sends/${id}/resend`, {}, sendResponse),
  },
  retry: {
    name: 'retry',
    always: { status: 'failed' },
    right: 'retry',
    over: ['TRIED_ALREADY'],
    question: (count) =>
      `Have the work of ${runs(count)} done again, in new tasks of their callers`,
    subjectOf: ({ id, status, triedAs }) =>
      TRIED.includes(status) ? { id, done: triedAs !== undefined } : undefined,
    act: (client, { id }, asOf) =>
      client.post(
        `/runs/${id}/retry`,
        { requestId: `as of ${new Date(asOf).toISOString()}`, unlessTried: true },
        secondTry,
      ),
  },
};
