import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { chosen } from './choose.ts';
import { status, wantsColour } from './looks.ts';
import { PLAIN, rendered, type Screen } from './render.ts';
import { shortIds } from './short-ids.ts';
import { apart, facts, indent, json, line, quote, table, type View } from './view.ts';
import { widthOf } from './width.ts';

const ONE = '4a321bb8-f863-4939-a9de-b9818439b9e7';
const TWIN = '4a321bb8-f863-4a39-a9de-b9818439b9e7';
const OTHER = '28b045de-216f-885a-8a59-53664f667164';
const terminal = (width: number, more: Partial<Screen> = {}): Screen => ({
  ...PLAIN,
  width,
  now: 100_000,
  ...more,
});

const runs: View = [
  table({
    columns: [
      { name: 'run', fixed: true },
      { name: 'agent' },
      { name: 'status', fixed: true },
      { name: 'changed', fixed: true },
      { name: 'waits', heading: '' },
      { name: 'context', hidden: true },
    ],
    rows: [
      [{ id: ONE }, '日本語のエージェント', status('failed'), { at: 98_500 }, 'AGENT_FAILED', 'c1'],
      [
        { id: OTHER },
        'b',
        status('waiting_for_approval'),
        { at: 40_000 },
        'approval 🧾 for 1m',
        'c2',
      ],
    ],
  }),
];

describe('a table', () => {
  it('that is no terminal has everything, in columns', () => {
    expect(rendered(runs, { ...PLAIN, now: 100_000 })).toBe(
      [
        'run                                   agent                 status                changed',
        `${ONE}  日本語のエージェント  failed                1.5s ago   AGENT_FAILED`,
        `${OTHER}  b                     waiting_for_approval  1m 0s ago  approval 🧾 for 1m`,
      ].join('\n'),
    );
  });

  it('in a terminal has short ids, and its widest cells cut', () => {
    expect(rendered(runs, terminal(60))).toBe(
      [
        'run       agent    status                changed',
        '4a321bb8  日本語…  failed                1.5s ago   AGENT_F…',
        '28b045de  b        waiting_for_approval  1m 0s ago  approva…',
      ].join('\n'),
    );
  });

  it('can have other columns, another order, and instants', () => {
    const view = chosen(runs, { columns: 'context,changed', sort: 'changed', order: 'asc' });
    expect(rendered(view, terminal(60, { exact: true }))).toBe(
      [
        'context  changed',
        'c2       1970-01-01T00:00:40.000Z',
        'c1       1970-01-01T00:01:38.500Z',
      ].join('\n'),
    );
    expect(() => chosen(runs, { columns: 'run,statsu' })).toThrow(
      '--columns: "statsu" is no column; there are run, agent, status, changed, waits, context',
    );
    expect(() => chosen(runs, { sort: 'x' })).toThrow('--sort: "x" is no column');
    expect(() => chosen(runs, { sort: 'run', order: 'up' })).toThrow('--order is "up"');
  });

  it('shows its words where it has no rows', () => {
    expect(rendered([table({ columns: [{ name: 'a' }], rows: [], none: 'no runs' })], PLAIN)).toBe(
      'no runs',
    );
  });
});

describe('facts and lines', () => {
  it('are broken between words; a word that is too long stands whole below its name', () => {
    const view = [
      facts([
        ['waits for', 'dependency of profiler for 2.9s, 59m 57s left (pause 2)'],
        ['digest', 'd'.repeat(36)],
        ['gone', undefined],
        ['at', { at: 0, both: true }],
      ]),
    ];
    expect(rendered(view, terminal(40))).toBe(
      [
        'waits for  dependency of profiler for',
        '           2.9s, 59m 57s left (pause 2)',
        'digest',
        `  ${'d'.repeat(36)}`,
        'at         1970-01-01T00:00:00.000Z (1m',
        '           40s ago)',
      ].join('\n'),
    );
  });
});

describe('colours', () => {
  it('show what a status means, beside its word', () => {
    const shown = rendered(runs, terminal(80, { colour: true }));
    expect(shown).toContain('\u001b[31mfailed\u001b[39m');
    expect(shown).toContain('\u001b[33mwaiting_for_approval\u001b[39m');
    expect(stripVTControlCharacters(shown)).toBe(rendered(runs, terminal(80)));
  });

  it.each([
    ['auto', {}, true, true],
    ['auto', {}, false, false],
    ['auto', { TERM: 'dumb' }, true, false],
    ['auto', { NO_COLOR: '1' }, true, false],
    ['auto', { NO_COLOR: '' }, true, true],
    ['auto', { FORCE_COLOR: '1' }, false, true],
    ['auto', { FORCE_COLOR: '0' }, true, false],
    ['auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['always', { NO_COLOR: '1' }, false, true],
    ['never', { FORCE_COLOR: '1' }, true, false],
  ] as const)('%s with %j, terminal %j: %j', (asked, environment, tty, expected) => {
    expect(wantsColour(asked, environment, tty)).toBe(expected);
  });
});

describe('short ids', () => {
  it('are as long as it takes to tell them apart, and eight characters at least', () => {
    const short = shortIds([ONE, TWIN, OTHER, `${ONE}.${OTHER}`, 'no uuid']);
    expect([ONE, TWIN, OTHER, `${ONE}.${OTHER}`, 'no uuid'].map(short)).toEqual([
      '4a321bb8-f863-49',
      '4a321bb8-f863-4a',
      '28b045de',
      '4a321bb8-f863-49.28b045de',
      'no uuid',
    ]);
  });
});

describe('what others wrote', () => {
  // Each of them could rewrite a terminal, turn the direction of a text, or begin a line of ours.
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '名',
      '👍🏽',
      '\n',
      '\r',
      '\t',
      '\u001b[2J',
      '\u009b31m',
      '\u0007',
      '\b',
      '\u202e',
      '\u2066',
      '\u2028',
      '\u200b',
      '\u0000',
      '\u007f',
      '| ',
      'call pay',
    ),
    maxLength: 120,
  });
  const view = (text: string): View => [
    apart(
      [line('ours ', { text, look: 'strong' })],
      [facts([['name', text]])],
      [
        indent(quote(text), json({ [text]: text })),
        table({
          columns: [{ name: 'a' }, { name: 'b' }],
          rows: [
            [text, { id: text }],
            [{ text, look: 'bad' }, text],
          ],
          below: [[quote(text)], undefined],
        }),
      ],
    ),
  ];

  it('leaves no control and no invisible character, whatever it is shown on', () => {
    fc.assert(
      fc.property(
        nasty,
        fc.option(fc.integer({ min: 20, max: 120 }), { nil: undefined }),
        (text, width) => {
          const shown = rendered(view(text), { ...PLAIN, width });
          expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        },
      ),
    );
  });

  it('breaks no line of a terminal, so that no rest of one stands at its beginning', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 20, max: 120 }), (text, width) => {
        const lines = rendered(view(text), { ...PLAIN, width }).split('\n');
        for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('in several lines stands behind bars, also where its characters are wide', () => {
    const shown = rendered([quote(`ok\ncall pay\n${'名'.repeat(60)}call pay`)], terminal(80));
    for (const each of shown.split('\n')) {
      expect(each).toMatch(/^\| /);
      expect(widthOf(each)).toBeLessThanOrEqual(72);
    }
  });
});
