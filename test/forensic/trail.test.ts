import { afterEach, describe, expect, it } from 'vitest';
import { objectPrefix } from '../../shared/app/content/objects.ts';
import { runKeyOf } from '../../shared/app/content/sealing-key.ts';
import { trailKeysOf } from '../../shared/app/content/trail-key.ts';
import { readTrail } from '../../shared/app/content/read-trail.ts';
import { endTrail } from '../../shared/app/privacy/end-trail.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import {
  decisionCodec,
  pauseCodec,
  sendCodec,
  stepCodec,
} from '../../shared/app/records/work-documents.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import { decrypted } from '../doubles/decrypted.ts';
import { holding, House, INNER, OUTER } from './payload-house.ts';

let house: House | undefined;
afterEach(() => house?.remove());

/** What was said in the steps of the run, and by whom it must not be found. */
const SAID = [
  INNER.argument,
  INNER.beside,
  INNER.error,
  INNER.received,
  INNER.result,
  INNER.sent,
  OUTER.input,
  OUTER.message,
];

/** A run that went through everything and has ended. What was said in it is due at once. */
async function ended(audit: Ceiling): Promise<{ readonly at: House; readonly taskId: string }> {
  house = await House.open({ audit, trailRetention: 1 });
  return { at: house, taskId: await house.until('ended') };
}

/** What keys which still exist make text of, in rows of the run and in objects of its work. */
async function readable(at: House, taskId: string): Promise<string> {
  const { app } = at;
  const row = await at.run(taskId);
  const runKey = await runKeyOf(app, row);
  const trail = row.trail && trailKeysOf(row, runKey, row.trail);
  const opened = [runKey, trail?.full, trail?.redacted, trail?.metadata];
  const keys = opened.flatMap((key) => (key === undefined ? [] : [key.keys]));
  const texts = (await sealedOf(app, taskId)).map((bytes) => decrypted(keys, bytes) ?? '');
  for (const { name } of await app.blobs.list(`${objectPrefix(row)}/`, 1_000)) {
    // The others are the task's own, which its caller sees.
    if (!name.includes('/payload/')) continue;
    texts.push(decrypted(keys, (await app.blobs.get(name))?.body ?? new Uint8Array(40)) ?? '');
  }
  return texts.join('\n');
}

async function sealedOf(app: House['app'], taskId: string): Promise<readonly Uint8Array[]> {
  const collections = [
    { name: 'steps', codec: stepCodec },
    { name: 'sends', codec: sendCodec },
    { name: 'pauses', codec: pauseCodec },
    { name: 'decisions', codec: decisionCodec },
  ] as const;
  const found: Uint8Array[] = [];
  for (const { codec, name } of collections) {
    const collection = `runs/${taskId}/${name}`;
    const query = { collection, codec, filters: [], order: undefined, limit: 100 } as const;
    for (const { value } of await app.store.page<object>(query))
      for (const field of Object.values(value)) if (field instanceof Uint8Array) found.push(field);
  }
  return found;
}

const said = (text: string): readonly string[] => SAID.filter((word) => text.includes(word));

describe('what keys that are left can read of the steps of a run that has ended', () => {
  it('at full is all that was said, with the names of its tools', async () => {
    const { at, taskId } = await ended('full');
    const text = await readable(at, taskId);
    expect(said(text)).toEqual(SAID);
    expect(text).toContain('"name":"pay"');
    const { steps } = await readTrail(at.app, await at.run(taskId), { words: true });
    expect(said(JSON.stringify(steps))).toEqual(SAID);
  });

  it('at redacted is what the redactor left of it', async () => {
    const { at, taskId } = await ended('redacted');
    const text = await readable(at, taskId);
    expect(said(text)).toEqual(SAID);
    // Twice as long as may be kept of one text.
    expect(text).not.toContain(INNER.result.repeat(120));
    const { level, steps } = await readTrail(at.app, await at.run(taskId), { words: true });
    expect(level).toBe('redacted');
    expect(steps.every(({ step }) => step === undefined)).toBe(true);
    // The turn that completed the run has none: its words are the answer of the task.
    expect(steps.map(({ words }) => words !== undefined)).toEqual([
      ...steps.slice(1).map(() => true),
      false,
    ]);
  });

  it('at metadata is no word that was said', async () => {
    const { at, taskId } = await ended('metadata');
    const text = await readable(at, taskId);
    expect(said(text)).toEqual([]);
    expect(text).toContain('"name":"pay"');
  });

  it('at none is nothing', async () => {
    const { at, taskId } = await ended('none');
    const text = await readable(at, taskId);
    expect(said(text)).toEqual([]);
    expect(text).not.toContain('"name"');
  });

  it.each(['full', 'redacted'] as const)(
    'kept %s, is no word after its time, and its key is in no byte on the disk',
    async (audit) => {
      const { at, taskId } = await ended(audit);
      const { key } = (await at.run(taskId)).trail ?? {};
      if (key === undefined) throw new Error('no key');
      expect(holding(await at.files(), key)).not.toEqual([]);
      await endTrail(at.app, taskId);
      const text = await readable(at, taskId);
      expect(said(text)).toEqual([]);
      expect(text).toContain('"name":"pay"');
      await at.close();
      expect(holding(await at.files(), key)).toEqual([]);
    },
  );

  it.each([
    ['full', 'metadata'],
    ['redacted', 'metadata'],
    ['full', 'redacted'],
  ] as const)('kept %s and tightened to %s, is no word', async (audit, to) => {
    const { at, taskId } = await ended(audit);
    const { key } = (await at.run(taskId)).trail ?? {};
    expect(await tightenCeiling(at.app, taskId, { audit: to })).toBe('tightened');
    const text = await readable(at, taskId);
    expect(said(text)).toEqual([]);
    expect(text).toContain('"name":"pay"');
    await at.close();
    expect(holding(await at.files(), key ?? 'no key')).toEqual([]);
  });

  it('kept full and redacted with its answer, is no word', async () => {
    const { at, taskId } = await ended('full');
    expect(await tightenCeiling(at.app, taskId, { answer: 'redacted' })).toBe('redacted');
    const text = await readable(at, taskId);
    expect(said(text)).toEqual([]);
    expect(text).toContain('"name":"pay"');
  });

  it('kept full and purged, is nothing: no row, no key and no sealed byte is left', async () => {
    const { at, taskId } = await ended('full');
    const { trail, wrappedKey } = await at.run(taskId);
    const sealed = await sealedOf(at.app, taskId);
    expect(await purgeRun(at.app, taskId)).toBe('purged');
    await at.close();
    const files = await at.files();
    const keys = [wrappedKey, trail?.key ?? 'no key'];
    for (const bytes of [...sealed.map((each) => each.slice(0, 29)), ...keys])
      expect(holding(files, bytes)).toEqual([]);
    for (const word of SAID) expect(holding(files, word), word).toEqual([]);
  });

  it('is in clear nowhere on the disk, at no level', async () => {
    for (const audit of ['none', 'metadata', 'redacted', 'full'] as const) {
      const { at } = await ended(audit);
      const files = [...(await at.files())].filter(([path]) => !path.includes('/archive.sqlite'));
      for (const word of SAID)
        expect(holding(new Map(files), word), `${audit} ${word}`).toEqual([]);
      await at.remove();
    }
    house = undefined;
  });
});
