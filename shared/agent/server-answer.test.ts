import { describe, expect, it } from 'vitest';
import type { ToolContent } from '../ports/tool-servers.ts';
import { type Answered, toldAnswer, wholeAnswer } from './server-answer.ts';
import { FILES, partsOfResult, ToolParts } from './tool-parts.ts';

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const picture: ToolContent = { kind: 'bytes', mediaType: 'image/png', raw: PNG };
const answer = (content: readonly ToolContent[], over: Partial<Answered> = {}): Answered => ({
  kind: 'answered',
  failed: false,
  content,
  ...over,
});
const wholeOf = (answered: Answered) => {
  const whole = wholeAnswer(answered);
  if (!(whole instanceof ToolParts)) throw new Error('no parts');
  return whole;
};

describe('the answer of a server with files', () => {
  it('is its parts in order, and told as it always was', () => {
    const manual = Buffer.from('%PDF-1.7');
    const given = answer([
      { kind: 'text', text: 'A lamp.' },
      picture,
      { kind: 'text', text: '' },
      { kind: 'bytes', mediaType: 'audio/wav', raw: PNG },
      { kind: 'bytes', mediaType: 'application/pdf', raw: manual, uri: 'shop://a/manual.pdf' },
      { kind: 'bytes', mediaType: 'text/csv', raw: PNG, uri: 'shop://a/' },
      { kind: 'link', uri: 'shop://lamp', name: 'lamp' },
      { kind: 'resource', uri: 'shop://manual', text: 'Turn it on.' },
    ]);
    const { parts, value } = partsOfResult(wholeOf(given));
    expect(value).toEqual(toldAnswer(given));
    const raw = new Uint8Array(PNG);
    expect(
      parts.map((part) => ('raw' in part ? { ...part, raw: Uint8Array.from(part.raw) } : part)),
    ).toEqual([
      { text: 'A lamp.' },
      { raw, mediaType: 'image/png' },
      { raw, mediaType: 'audio/wav' },
      { data: { uri: 'shop://a/manual.pdf', mediaType: 'application/pdf', bytes: 8 } },
      { raw: new Uint8Array(manual), mediaType: 'application/pdf', filename: 'manual.pdf' },
      { data: { uri: 'shop://a/', mediaType: 'text/csv', bytes: PNG.byteLength } },
      { raw, mediaType: 'text/csv' },
      { data: { uri: 'shop://lamp', name: 'lamp' } },
      { data: { uri: 'shop://manual', text: 'Turn it on.' } },
    ]);
  });

  it('has data once, where a text repeats it', () => {
    const text = { kind: 'text', text: '{ "cents": 4500 }' } as const;
    const given = answer([text, picture], { structured: { cents: 4_500 } });
    expect(partsOfResult(wholeOf(given)).parts.slice(0, -1)).toEqual([{ data: { cents: 4_500 } }]);
  });

  it.each<[string, ToolContent]>([
    ['that is empty', { ...picture, raw: new Uint8Array() }],
    ['that is no picture', { ...picture, raw: Buffer.from('<html>') }],
    ['of another kind than it says', { ...picture, mediaType: 'image/jpeg' }],
  ])('tells of a file %s, and hands over the others', (_what, content) => {
    const told = toldAnswer(answer([content]));
    expect(wholeAnswer(answer([content]))).toEqual(told);
    expect(partsOfResult(wholeOf(answer([content, picture]))).parts).toMatchObject([
      { data: { bytes: content.kind === 'bytes' && content.raw.byteLength } },
      { mediaType: 'image/png' },
    ]);
  });

  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'])(
    'hands over a real %s',
    (mediaType) => {
      const raw = Buffer.from(BEGINS[mediaType] ?? '', 'latin1');
      const whole = wholeOf(answer([{ kind: 'bytes', mediaType, raw }]));
      expect(partsOfResult(whole).parts).toMatchObject([{ mediaType }]);
    },
  );

  it('at the limit has all of them, and a byte over it tells of each', () => {
    const sized = (bytes: number) =>
      answer([{ ...picture, raw: Buffer.concat([PNG], bytes) }, picture]);
    const most = FILES - PNG.byteLength;
    expect(partsOfResult(wholeOf(sized(most))).parts).toHaveLength(2);
    expect(wholeAnswer(sized(most + 1))).toEqual(toldAnswer(sized(most + 1)));
  });
});

const BEGINS: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  'image/jpeg': '\xff\xd8\xff\xe0\0\x10JFIF',
  'image/gif': 'GIF89a\x01\0',
  'image/webp': 'RIFF\x1a\n\r\0WEBPVP8 ',
  'application/pdf': '%PDF-1.7\n',
};
