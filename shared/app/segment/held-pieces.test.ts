import { describe, expect, it } from 'vitest';
import type { Item } from '../../domain/item.ts';
import type { Part } from '../../domain/message.ts';
import { HeldPieces } from './held-pieces.ts';

const piece = (parts: readonly Part[], append: boolean, lastChunk: boolean): Item => ({
  kind: 'artifact',
  artifact: { artifactId: 'a', parts },
  append,
  lastChunk,
});
const begin = (text: string) => piece([{ text }], false, false);
const more = (text: string) => piece([{ text }], true, false);
const last = (text: string) => piece([{ text }], true, true);
const whole = (text: string) => piece([{ text }], false, true);

describe('pieces that are held back until they are whole', () => {
  it('are shown once, with the last one, as one text', () => {
    const held = new HeldPieces();
    expect([begin('Ada '), more('Love'), last('lace')].map((each) => held.take(each))).toEqual([
      undefined,
      undefined,
      whole('Ada Lovelace'),
    ]);
    expect(held.release()).toEqual([]);
  });

  it('are released as far as they go, once', () => {
    const held = new HeldPieces();
    held.take(begin('Ada '));
    held.take(more('Love'));
    expect(held.release()).toEqual([piece([{ text: 'Ada Love' }], false, false)]);
    expect(held.release()).toEqual([]);
    // What follows is stated with what was before it.
    expect(held.take(last('lace'))).toEqual(whole('Ada Lovelace'));
  });

  it('may begin with nothing', () => {
    const held = new HeldPieces();
    held.take(piece([], false, false));
    expect(held.take(last('Ada'))).toEqual(whole('Ada'));
  });

  it('are forgotten when the artifact is begun anew', () => {
    const held = new HeldPieces();
    held.take(begin('one'));
    held.take(begin('two'));
    expect(held.take(last(' three'))).toEqual(whole('two three'));
    expect(held.take(whole('four'))).toEqual(whole('four'));
  });

  it('of several artifacts do not meet', () => {
    const held = new HeldPieces();
    const other: Item = {
      kind: 'artifact',
      artifact: { artifactId: 'b', parts: [{ text: 'b' }] },
      append: false,
      lastChunk: false,
    };
    held.take(begin('a'));
    held.take(other);
    expect(held.take(last('a'))).toEqual(whole('aa'));
    expect(held.release()).toEqual([other]);
  });

  it('are one text only where both are nothing but text', () => {
    const held = new HeldPieces();
    const file: Part = { text: 'f', filename: 'f.txt' };
    held.take(piece([{ data: 1 }], false, false));
    held.take(piece([{ text: 'a' }], true, false));
    held.take(piece([{ text: 'b' }, file], true, false));
    held.take(piece([{ text: 'c' }], true, false));
    expect(held.take(piece([{ data: 2 }], true, true))).toEqual(
      piece([{ data: 1 }, { text: 'ab' }, file, { text: 'c' }, { data: 2 }], false, true),
    );
  });

  it('that go on with what was shown before they were held are shown as they are', () => {
    const held = new HeldPieces();
    expect(held.take(more('rest'))).toEqual(more('rest'));
    expect(held.release()).toEqual([]);
  });

  it('hold nothing else up', () => {
    const held = new HeldPieces();
    held.take(begin('a'));
    const status: Item = { kind: 'status', state: 'WORKING', at: 1 };
    expect(held.take(status)).toBe(status);
  });
});
