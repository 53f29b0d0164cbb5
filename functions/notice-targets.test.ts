import { describe, expect, it } from 'vitest';
import { noticeTargets } from './notice-targets.ts';
import { openNotices, unreachable } from './open-notices.ts';

const good = { name: 'ops', url: 'https://hooks.example/x', events: ['approval'] };
const wrong = (...entries: readonly object[]): string => {
  try {
    noticeTargets(JSON.stringify(entries));
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('targets of notices', () => {
  it('are none unless they are given', () => {
    expect(noticeTargets(undefined)).toEqual([]);
    expect(openNotices({ targets: [], environment: {}, console: async () => '' })).toBe(undefined);
  });

  it('have times with units, hours of a day, and defaults', () => {
    const quiet = { from: '22:00', to: '07:30', timezone: 'Europe/Berlin' };
    const [target] = noticeTargets(
      JSON.stringify([{ ...good, after: '90s', digest: '15m', lead: '1d', quiet }]),
    );
    expect(target).toEqual({
      name: 'ops',
      form: 'json',
      at: { url: 'https://hooks.example/x' },
      events: ['approval'],
      after: 90_000,
      digest: 900_000,
      lead: 86_400_000,
      quiet: { from: 22 * 60, to: 7 * 60 + 30, timezone: 'Europe/Berlin' },
      content: false,
    });
  });

  it.each([
    [[good, { ...good, events: ['aproval'] }], 'targets[1].events[0]'],
    [[{ ...good, events: [] }], 'targets[0].events'],
    [[good, good], 'targets[1].name'],
    [[{ ...good, name: 'Ops' }], 'targets[0].name'],
    [[{ ...good, digest: '15' }], 'targets[0].digest'],
    [[{ ...good, digest: '8d' }], 'targets[0].digest'],
    [[{ ...good, form: 'teams' }], 'targets[0].form'],
    [[{ ...good, agents: ['No Name'] }], 'targets[0].agents[0]'],
    [
      [{ ...good, quiet: { from: '24:00', to: '07:00', timezone: 'UTC' } }],
      'targets[0].quiet.from',
    ],
    [
      [{ ...good, quiet: { from: '22:00', to: '07:00', timezone: 'Mars/Base' } }],
      'targets[0].quiet.timezone',
    ],
    [[{ ...good, secret: 'S' }], 'targets[0]: needs either url or secret'],
    [[{ name: 'ops', events: ['failed'] }], 'targets[0]: needs either url or secret'],
    [[{ ...good, mute: true }], 'targets[0]'],
  ])('that are wrong are named: %j', (entries, place) => {
    expect(wrong(...entries)).toContain(`--notices: ${place}`);
  });

  it('whose secret is not set, or whose URL may not be called, are named', async () => {
    const targets = noticeTargets(
      JSON.stringify([
        { name: 'chat', secret: 'CHAT_URL', events: ['failed'] },
        { name: 'inside', url: 'http://127.0.0.1/', events: ['failed'] },
        good,
      ]),
    );
    const outgoing = {
      objectionTo: (url: string) => (url.startsWith('https:') ? undefined : ('not https' as const)),
    };
    const open = (environment: Readonly<Record<string, string>>) =>
      unreachable(
        openNotices({ targets, environment, console: () => Promise.resolve('x') }),
        outgoing,
      );
    expect((await open({})).map(({ target }) => target)).toEqual(['chat', 'inside']);
    const set = await open({ CHAT_URL: ' https://chat.example/1\n' });
    expect(set).toMatchObject([
      { target: 'inside', why: expect.stringContaining('is refused: not https') as string },
    ]);
  });
});
