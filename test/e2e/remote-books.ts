import { join } from 'node:path';
import { runDoc } from '../../shared/app/records/documents.ts';
import {
  decisionDoc,
  type DecisionDoc,
  pauseDoc,
  type PauseDoc,
  sendDoc,
  type SendDoc,
  stepDoc,
} from '../../shared/app/records/work-documents.ts';
import type { Run } from '../../shared/domain/run.ts';
import { sendIds } from '../../shared/domain/send.ts';
import { openSqliteBackend } from '../../shared/embedded/sqlite-backend.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { createStore } from '../../shared/store/store.ts';

/** The call of the first turn, which is the step after the client's message. */
const FIRST = 'call-2-1';

/** What a server's rows say, read behind its back; it may be running or dead. */
export interface Books {
  run(taskId: string): Promise<Run | undefined>;
  /** The send of a call, undefined before it was prepared. */
  send(taskId: string, callId?: string): Promise<SendDoc | undefined>;
  pause(taskId: string, generation: number): Promise<PauseDoc | undefined>;
  decision(taskId: string, generation: number): Promise<DecisionDoc | undefined>;
  /** The kinds of the steps so far. */
  steps(taskId: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function openBooks({ data }: { readonly data: string }): Books {
  const backend = openSqliteBackend({ file: join(data, 'store.sqlite') });
  const store = createStore({ backend, clock: systemClock, ids: systemIds(), deadline: 5_000 });
  return {
    run: (taskId) => store.get(runDoc(taskId)),
    send: (taskId, callId = FIRST) => store.get(sendDoc(taskId, sendIds(taskId, callId).messageId)),
    decision: (taskId, generation) => store.get(decisionDoc(taskId, generation)),
    async steps(taskId) {
      const { steps = 0 } = (await store.get(runDoc(taskId))) ?? {};
      const docs = Array.from({ length: steps }, (_, at) => stepDoc(taskId, at + 1));
      return (await store.getAll(docs)).map((doc) => doc?.kind ?? 'lost');
    },
    pause: (taskId, generation) => store.get(pauseDoc(taskId, generation)),
    close: () => backend.close(),
  };
}

/**
 * The context that a call of that task opens at its remote: everything in it is that delegation's.
 */
export function contextOf(taskId: string, callId = FIRST): string {
  return sendIds(taskId, callId).contextId;
}
