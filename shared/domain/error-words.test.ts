import { describe, expect, it } from 'vitest';
import { errorWords } from './error-words.ts';

const own = import.meta.url;

/** An error whose stack has these lines below its head. */
function failing(message: string, frames: readonly string[], more?: ErrorOptions): Error {
  const error = new Error(message, more);
  error.stack = [`Error: ${message}`, ...frames].join('\n');
  return error;
}

const at = (place: string): string => `    at f (${place})`;
const numbered = (count: number, place: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, each) => at(place(each)));

describe('the stack of an error', () => {
  it("is the author's lines alone, where there are any", () => {
    const frames = [at('node:internal:1'), at(own), at('/home/agent.ts:3'), '  no line of a stack'];
    expect(errorWords(failing('broken', frames))).toBe(
      'Error: broken\n    at f (/home/agent.ts:3)',
    );
  });

  it('is twelve lines of theirs at most, or three of ours', () => {
    const theirs = errorWords(
      failing(
        'broken',
        numbered(20, (n) => `/home/${n}.ts`),
      ),
    ).split('\n');
    expect(theirs).toEqual(['Error: broken', ...numbered(12, (n) => `/home/${n}.ts`)]);
    const ours = errorWords(
      failing(
        'broken',
        numbered(5, (n) => `${own}:${n}`),
      ),
    ).split('\n');
    expect(ours).toEqual(['Error: broken', ...numbered(3, (n) => `${own}:${n}`)]);
  });

  it('is not asked of an error that has none', () => {
    const error = failing('broken', []);
    delete error.stack;
    expect(errorWords(error)).toBe('Error: broken');
  });
});

describe('the causes of an error', () => {
  it('follow it, five at most', () => {
    const deep = numbered(7, String).reduce<Error | undefined>(
      (cause, _, n) => failing(`e${n}`, [], cause && { cause }),
      undefined,
    );
    const heads = errorWords(deep).split('\n');
    expect(heads).toEqual(['Error: e6', ...[5, 4, 3, 2, 1].map((n) => `caused by Error: e${n}`)]);
  });

  it('may be no errors', () => {
    const error = failing('broken', [], { cause: { code: 7 } });
    expect(errorWords(error)).toBe('Error: broken\ncaused by thrown: {"code":7}');
  });
});

describe('what was thrown and is no error', () => {
  it('is shown as it is, or by its type', () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(['words', [1], round, undefined].map(errorWords)).toEqual([
      'thrown: words',
      'thrown: [1]',
      'thrown: object',
      'thrown: undefined',
    ]);
  });
});

describe('what others wrote', () => {
  it('is cut at 4,000 characters', () => {
    expect(errorWords(failing('x'.repeat(5_000), []))).toBe(`Error: ${'x'.repeat(3_993)}`);
    expect(errorWords('x'.repeat(5_000))).toBe(`thrown: ${'x'.repeat(4_000)}`);
  });

  it('moves no cursor and turns no text; its lines and tabs stay', () => {
    const hostile = 'a\u001b[2J\u202eb\u2028c\u2029d\r\te\nf';
    expect(errorWords(failing(hostile, []))).toBe(
      'Error: a\ufffd[2J\ufffdb\ufffdc\ufffdd\ufffd  e\nf',
    );
    expect(errorWords(hostile)).toBe('thrown: a\ufffd[2J\ufffdb\ufffdc\ufffdd\ufffd  e\nf');
  });

  it('is told of in other words if it throws when it is looked at', () => {
    const error = failing('broken', []);
    Object.defineProperty(error, 'message', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(errorWords(error)).toBe('an error that can not be shown');
  });
});
