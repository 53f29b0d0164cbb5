import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf, parseTraceparent, printTraceparent, traceparent } from './trace-context.ts';

// The examples of the specification, section 3.2.3.
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'.split('')), {
      minLength: length,
      maxLength: length,
    })
    .map((digits) => digits.join(''))
    .filter((digits) => !/^0*$/.test(digits));
const anyContext = fc.record({ traceId: hex(32), spanId: hex(16), sampled: fc.boolean() });

describe('parseTraceparent', () => {
  it('reads the examples of the specification', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      sampled: true,
    });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)?.sampled).toBe(false);
  });

  it('reads what it prints, and prints what it read', () => {
    fc.assert(
      fc.property(anyContext, (context) => {
        const printed = printTraceparent(context);
        expect(printed).toHaveLength(55);
        expect(parseTraceparent(printed)).toEqual(context);
        expect(contextOf(printed)).toEqual(context);
        expect(traceparent(printed)).toBe(printed);
      }),
    );
  });

  it('looks at the sampled bit alone, whatever other flags there are', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-03`)?.sampled).toBe(true);
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-fe`)?.sampled).toBe(false);
    expect(traceparent(`00-${TRACE}-${SPAN}-ff`)).toBe(`00-${TRACE}-${SPAN}-01`);
  });

  it('reads the fields it knows of a newer version, and goes on as version 00', () => {
    expect(traceparent(`cc-${TRACE}-${SPAN}-01`)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(traceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-holds`)).toBe(
      `00-${TRACE}-${SPAN}-01`,
    );
  });

  it.each([
    ['nothing', undefined],
    ['no string', 17],
    ['an empty header', ''],
    ['two headers in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['the version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['more behind version 00', `00-${TRACE}-${SPAN}-01-more`],
    ['a newer version with more that no dash parts', `cc-${TRACE}-${SPAN}-01more`],
    ['a line break behind', `00-${TRACE}-${SPAN}-01\n`],
    ['space before', ` 00-${TRACE}-${SPAN}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a letter that is no digit', `00-g${TRACE.slice(1)}-${SPAN}-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
  ])('refuses %s', (_what, text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('never throws, and what it takes has the form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = traceparent(text);
        if (read !== undefined) expect(read).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
      }),
    );
    const digits = fc.stringMatching(/^[0-9a-fA-F-]{50,60}$/);
    fc.assert(
      fc.property(digits, (text) => {
        const read = traceparent(text);
        if (read !== undefined) expect(read.slice(3, 52)).toBe(text.slice(3, 52));
      }),
    );
  });
});
