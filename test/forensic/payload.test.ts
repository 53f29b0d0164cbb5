import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelRun } from '../../shared/app/operators/cancel-run.ts';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import {
  decisionCodec,
  pauseCodec,
  sendCodec,
  stepCodec,
} from '../../shared/app/records/work-documents.ts';
import { AUDIT, auditCodec, auditDoc } from '../../shared/app/records/audit-document.ts';
import { pushId } from '../../shared/app/delegation/push-of.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { holding, House, INNER, OUTER, type Wait } from './payload-house.ts';

let house: House;
beforeEach(async () => {
  house = await House.open();
});
afterEach(() => house.remove());

const WAITS: readonly [Wait, string][] = [
  ['remote', 'waiting_for_dependency'],
  ['approval', 'waiting_for_approval'],
  ['input', 'waiting_for_input'],
  ['ended', 'completed'],
];

interface Sealed {
  readonly content: Uint8Array;
}

/** What a run works with, as its rows and objects hold it. */
async function sealedOf(taskId: string): Promise<readonly Uint8Array[]> {
  const collections = [
    { name: 'steps', codec: stepCodec },
    { name: 'sends', codec: sendCodec },
    { name: 'pauses', codec: pauseCodec },
    { name: 'decisions', codec: decisionCodec },
  ] as const;
  const found: Sealed[] = [];
  for (const { codec, name } of collections) {
    const collection = `runs/${taskId}/${name}`;
    const query = { collection, codec, filters: [], order: undefined, limit: 100 } as const;
    found.push(...(await house.app.store.page<Sealed>(query)).map(({ value }) => value));
  }
  return found.map(({ content }) => content);
}

describe('while a run waits, and when it has ended', () => {
  it.each(WAITS)(
    '(%s) nothing that it works with is in clear anywhere: rows, log of the store, objects',
    async (wait, status) => {
      const taskId = await house.until(wait);
      expect(await house.run(taskId)).toMatchObject({ status });
      const files = await house.files();
      expect([...files.keys()]).toContain('store.sqlite-wal');
      expect([...files.keys()].some((path) => path.includes('/payload/'))).toBe(true);
      for (const word of Object.values(INNER)) expect(holding(files, word), word).toEqual([]);
      for (const word of Object.values(OUTER)) {
        for (const path of holding(files, word))
          expect(path, word).toMatch(/^objects\/archive\.sqlite/);
      }
    },
  );

  it.each(WAITS)(
    '(%s) no log line, no wake-up and no span holds a word that was written',
    async (wait) => {
      await house.until(wait);
      const spans = JSON.stringify(house.tracer.spans);
      expect(house.said.length).toBeGreaterThan(2);
      expect(house.tracer.spans.length).toBeGreaterThan(3);
      for (const word of [...Object.values(INNER), ...Object.values(OUTER)]) {
        expect(house.said.join('\n').includes(word), word).toBe(false);
        expect(spans.includes(word), word).toBe(false);
      }
    },
  );

  it.each(WAITS)(
    '(%s) callers see what may leave, in task, list, stream and archive, and nothing else (G4)',
    async (wait) => {
      const taskId = await house.until(wait);
      const { journal, task } = await house.seen(taskId);
      const plain = await house.archive();
      for (const word of Object.values(INNER)) {
        for (const [where, text] of Object.entries({ journal, task, plain }))
          expect(text.includes(word), `${where}: ${word}`).toBe(false);
      }
      expect(journal).not.toContain(OUTER.message);
      const shown: Record<Wait, readonly (keyof typeof OUTER)[]> = {
        remote: ['message', 'artifact'],
        approval: ['message', 'artifact', 'summary'],
        input: ['message', 'artifact', 'summary', 'question'],
        ended: ['message', 'artifact', 'summary', 'question', 'input', 'final'],
      };
      for (const [name, word] of Object.entries(OUTER)) {
        const expected = shown[wait].some((each) => each === name);
        expect(task.includes(word), name).toBe(expected);
        const said = expected && name !== 'message' && name !== 'input';
        expect(journal.includes(word), name).toBe(said);
      }
    },
  );

  it('all of it was there, and reached whom it was for: the model, the remote agent, the transcript', async () => {
    const taskId = await house.until('input');
    const { argument, beside, error, instructions, received, result, sent } = INNER;
    const known = JSON.stringify(house.model.requests.at(-1));
    for (const word of [argument, beside, error, instructions, received, result, sent])
      expect(known, word).toContain(word);
    expect(known).not.toContain(INNER.crash);
    expect(JSON.stringify([...house.peer.tasks.values()])).toContain(sent);
    const steps = JSON.stringify(await loadSteps(house.app, { run: await house.run(taskId) }));
    for (const word of [argument, beside, error, received, result, sent])
      expect(steps, word).toContain(word);
  });
});

describe('who did what to a run', () => {
  const operator = { subject: INNER.operator, rights: () => Promise.resolve(new Set(RIGHTS)) };

  it('is in clear nowhere, also of a run that has ended, and goes with its purge to the last byte', async () => {
    const taskId = await house.until('approval');
    expect(await cancelRun(house.app, operator, taskId)).toMatchObject({ status: 'cancelled' });
    await house.idle();
    const { acts = [], payloadKey } = await house.run(taskId);
    expect(acts).toMatchObject([{ kind: 'cancel' }]);
    expect(payloadKey).toBeUndefined();
    const before = await house.files();
    const seen = JSON.stringify([await house.seen(taskId), house.said, house.tracer.spans]);
    expect(seen).not.toContain(INNER.operator);
    expect(holding(before, INNER.operator)).toEqual([]);
    const sealed = acts.map((act) => act.operator);
    for (const bytes of sealed) expect(holding(before, bytes)).not.toEqual([]);
    expect(await purgeRun(house.app, taskId)).toBe('purged');
    await house.close();
    const files = await house.files();
    for (const bytes of sealed) expect(holding(files, bytes.slice(0, 29))).toEqual([]);
    expect(holding(files, INNER.operator)).toEqual([]);
  });
});

/** The audit record outlives the run on purpose: it has so many entries of it, which go now. */
async function withoutAudit(taskId: string, entries: number): Promise<void> {
  const { store } = house.app;
  const query = { collection: AUDIT, codec: auditCodec, filters: [], order: undefined, limit: 100 };
  const noted = (await store.page(query)).filter(({ value }) => value.taskId === taskId);
  expect(noted).toHaveLength(entries);
  await store.transact(async (tx) => {
    for (const { id } of noted) tx.delete(auditDoc(id));
  });
}

describe('what is left on the disk of what a run worked with', () => {
  it('ended, its key is nowhere, not even among deleted pages: what lies there opens with no key', async () => {
    const taskId = await house.until('input');
    const { payloadKey } = await house.run(taskId);
    if (payloadKey === undefined) throw new Error('no key');
    expect(holding(await house.files(), payloadKey)).not.toEqual([]);
    await house.goOn('input', taskId);
    expect(await house.run(taskId)).toMatchObject({ status: 'completed' });
    expect(await house.run(taskId)).not.toHaveProperty('payloadKey');
    await house.close();
    const files = await house.files();
    expect(holding(files, taskId)).not.toEqual([]);
    expect(holding(files, payloadKey)).toEqual([]);
  });

  it.each(['remote', 'approval', 'input'] as const)(
    'tightened to none while it waits (%s), no key of it is anywhere, and no word in clear',
    async (wait) => {
      const taskId = await house.until(wait);
      const { payloadKey, wrappedKey } = await house.run(taskId);
      if (payloadKey === undefined) throw new Error('no key');
      expect(await tightenCeiling(house.app, taskId, { answer: 'none' })).toBe('failed');
      await house.idle();
      await house.close();
      const files = await house.files();
      for (const key of [payloadKey, wrappedKey]) expect(holding(files, key)).toEqual([]);
      for (const word of [...Object.values(INNER), ...Object.values(OUTER)])
        expect(holding(files, word), word).toEqual([]);
      const cancels = wait === 'remote' ? [1] : [];
      expect([...house.peer.cancels.values()]).toEqual(cancels);
    },
  );

  it.each(['approval', 'input', 'ended'] as const)(
    'purged (%s), there is no row, no object, no id, no key and no sealed byte of it',
    async (wait) => {
      const taskId = await house.until(wait);
      const { contextId, payloadKey, wrappedKey } = await house.run(taskId);
      const sealed = await sealedOf(taskId);
      const [remote] = house.peer.tasks.values();
      if (remote?.push === undefined) throw new Error('nothing was sent');
      expect(sealed.length).toBeGreaterThan(3);
      const before = await house.files();
      const push = pushId(remote.push.token);
      for (const bytes of [...sealed, wrappedKey, taskId, remote.messageId, push])
        expect(holding(before, bytes)).not.toEqual([]);
      // What a remote proves itself by is stored as a hash alone, and which task it has is sealed.
      for (const bytes of [remote.push.token, remote.taskId])
        expect(holding(before, bytes)).toEqual([]);
      expect(await purgeRun(house.app, taskId)).toBe('purged');
      await withoutAudit(taskId, wait === 'approval' ? 0 : wait === 'input' ? 1 : 2);
      await house.close();
      const files = await house.files();
      // Of each sealed content its nonce and the beginning: a part of it would be found, too.
      const parts = sealed.map((bytes) => bytes.slice(0, 29));
      const ids = [taskId, remote.messageId, push];
      const keys = payloadKey === undefined ? [wrappedKey] : [wrappedKey, payloadKey];
      for (const bytes of [...parts, ...ids, ...keys]) expect(holding(files, bytes)).toEqual([]);
      for (const word of [...Object.values(INNER), ...Object.values(OUTER)])
        expect(holding(files, word), word).toEqual([]);
      expect([...files.keys()].filter((path) => path.includes(contextId))).toEqual([]);
    },
  );
});
