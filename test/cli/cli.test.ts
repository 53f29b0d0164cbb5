import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../functions/cli/commands.ts';
import { help } from '../../functions/cli/help.ts';
import { PROGRAMS } from '../../functions/cli/programs.ts';
import { FILES_HELP } from '../../functions/operate/files.ts';
import { IMPORT_HELP } from '../../functions/operate/import.ts';
import { RESTORE_HELP } from '../../functions/operate/restore.ts';
import { HELP } from '../../functions/start/help.ts';
import { eventsOf } from '../../functions/cli/events.ts';
import { asJson, jsonLine, plain, spanOf } from '../../functions/cli/table.ts';
import { finish } from '../app/turn-loop-world.ts';
import { openAt, passes } from '../app/waiting.ts';
import { approvalWorld, inputWorld, overwrite, unknownWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

describe('what a command shows', () => {
  it('runs: a table, newest first, with what each waits for', async () => {
    const made = await approvalWorld();
    await made.world.clock.advance(90_000);
    const { exit, out } = await holdfast(made, ['runs']);
    expect(exit).toBe(0);
    expect(out.replaceAll(UUID, 'ID').replaceAll(/ {3,}/g, ' . ')).toBe(
      'run . agent . status . changed\nID  modelled  waiting_for_approval  1m 30s ago  approval for 1m 30s (pause 1)\n',
    );
  });

  it('inbox: what is asked, and the command that answers it', async () => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['inbox']);
    expect(out).toContain(`approval of modelled, for 0ms: holdfast approve|deny ${made.taskId}`);
    expect(out).toContain('call erase\n    | Erase what is at disk 1.');
    expect(out).toContain('"secret": "a-secret-word"');
    expect((await holdfast(made, ['inbox'], { as: 'send' })).out).toBe('nothing waits for you\n');
  });

  it('run: everything that led to where it is', async () => {
    const made = await unknownWorld();
    await holdfast(made, ['resend', made.send, '--yes']);
    const { out } = await holdfast(made, ['run', made.taskId]);
    for (const words of [
      'status       waiting_for_dependency (task: WORKING)',
      'waits for    dependency of peer for 0ms, 1h 0m left (pause 1)',
      'used         rounds 1/20, tokens 10, delegations 2/5, bytes 12/10485760',
      'timeline\n  revision  state      at\n  1         SUBMITTED  2027-01-15T08:00:00.000Z',
      'segments\n  fence  enqueued                  waited  worked  committed',
      'acts\n  act     at                        operator  send\n  resend  2027-01-15T08:00:00.000Z  all       ',
      'superseded    2027-01-15T08:00:00.000Z  no answer; replaced by ',
      'acknowledged  2027-01-15T08:00:00.000Z  in place of ',
    ])
      expect(out).toContain(words);
  });

  it('run --content: what was called, for an operator who may see it', async () => {
    const made = await approvalWorld();
    const { taskId } = made;
    expect((await holdfast(made, ['run', taskId])).out).not.toContain('a-secret-word');
    const shown = await holdfast(made, ['run', taskId, '--content']);
    expect(shown.out).toContain('"secret": "a-secret-word"');
    const blind = await holdfast(made, ['run', taskId, '--content'], { as: 'not-view' });
    expect(blind.out).not.toContain('a-secret-word');
  });

  it('status: the numbers, and what they are counted over', async () => {
    const made = await unknownWorld();
    const { out } = await holdfast(made, ['status']);
    expect(out).toContain('waiting for remote    1, of which sends with an unknown outcome: 1\n');
    expect(out).toContain('expired leases        0 (looked at the first 800 due rows)\n');
  });

  it('with --json just what the API answered', async () => {
    const made = await approvalWorld();
    for (const [args, path] of [
      [['runs', '--status', 'open'], '/runs?status=open&words=true'],
      [['run', made.taskId], `/runs/${made.taskId}`],
      [['inbox'], '/inbox'],
      [['status'], '/status'],
    ] as const) {
      const { out } = await holdfast(made, [...args, '--json']);
      expect(JSON.parse(out)).toEqual((await made.api.get(path)).body);
      expect(out.trimEnd()).not.toContain('\n');
    }
  });

  it('a run of a status that it does not know as it is', async () => {
    const made = await approvalWorld();
    await overwrite(made.world, made.taskId, { status: 'waiting_for_the_moon' });
    expect((await holdfast(made, ['runs'])).out).toContain('waiting_for_the_moon');
    const { error, exit } = await holdfast(made, ['cancel', made.taskId, '--yes']);
    expect(exit).toBe(1);
    expect(error).toContain('use the version that wrote it');
  });

  it('what is known, where a filter is not, and ends as for an option that is wrong', async () => {
    const made = await approvalWorld();
    for (const [args, words] of [
      [['--status', 'faild'], /status: "faild" is not known.*failed/],
      [['--agent', 'modeled'], /agent: "modeled" is not known.*modelled/],
      [['--reason', 'NONE'], /reason: "NONE" is not known.*AGENT_FAILED/],
      [['--sort', 'size'], /sort: .*changed.*cost/],
      [['--until', 'noon'], /--until is "noon"; give how long ago/],
    ] as const) {
      const { error, exit } = await holdfast(made, ['runs', ...args]);
      expect({ exit, error }).toMatchObject({ exit: 2, error: expect.stringMatching(words) });
    }
    const { out } = await holdfast(made, ['runs', '--started-since', '2000-01-01T00:00:00Z']);
    expect(out).toContain(made.taskId);
  });

  it('nothing that could rewrite a terminal', () => {
    expect(plain('a\u001b[2Jb\u202ec\nd\u009be\u2028f')).toBe('a�[2Jb�c�d�e�f');
    const value = { words: 'a\u001b\u009b\u007f\u202e\u2066\u2028\u{e0041}z' };
    for (const json of [asJson(value), jsonLine(value)]) {
      expect(JSON.parse(json)).toEqual(value);
      expect(json.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
    }
    expect([0, 999, 1_500, 65_000, 7_500_000, 200_000_000].map(spanOf)).toEqual([
      '0ms',
      '999ms',
      '1.5s',
      '1m 5s',
      '2h 5m',
      '2d 7h',
    ]);
  });
});

describe('what a command does', () => {
  it.each(['approve', 'deny'] as const)(
    '%s: for the turn that is held, by a worker',
    async (kind) => {
      const made = await approvalWorld();
      const { exit, out } = await holdfast(made, [kind, made.taskId, '--yes']);
      expect({ exit, out }).toMatchObject({
        exit: 0,
        out: expect.stringContaining(`decided  ${kind}, pause 1`) as string,
      });
      await finish(made.world);
      expect(made.ran).toHaveLength(kind === 'approve' ? 1 : 0);
    },
  );

  it('approve --direct: at once, with the progress, and how it came out', async () => {
    const made = await approvalWorld();
    const { exit, out } = await holdfast(made, ['approve', made.taskId, '--direct', '--yes']);
    expect(exit).toBe(0);
    expect(out).toContain('COMPLETED gone\n');
    expect(out).toContain('status  completed\n');
    expect(made.ran).toHaveLength(1);
  });

  it('approve --direct --json: an event a line', async () => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['approve', made.taskId, '--direct', '--json', '--yes']);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(lines).toEqual(['receipt', 'task', 'event', 'rest']);
  });

  it('approve --generation: that pause, or none', async () => {
    const made = await approvalWorld();
    const { error, exit } = await holdfast(made, [
      'approve',
      made.taskId,
      '--generation',
      '7',
      '--digest',
      'x',
    ]);
    expect(exit).toBe(1);
    expect(error).toContain('(PAUSE_OVER); `holdfast run <id>` shows where the run is now');
    expect(made.ran).toEqual([]);
  });

  it('input: JSON as JSON', async () => {
    const made = await inputWorld();
    const { error, exit } = await holdfast(made, ['input', made.taskId, '{"n":9}', '--yes']);
    expect({ exit, error }).toMatchObject({
      exit: 1,
      error: expect.stringContaining('input.n') as string,
    });
    expect((await holdfast(made, ['input', made.taskId, '{"n":2}', '--yes'])).exit).toBe(0);
    await finish(made.world);
    expect(made.ran).toMatchObject([{ input: { n: 2 } }]);
  });

  it('resend, link, abandon and cancel', async () => {
    const again = await unknownWorld();
    expect((await holdfast(again, ['resend', again.send, '--yes'])).out).toContain(
      'state  acknowledged',
    );
    const linked = await unknownWorld('after');
    const [task = ''] = openAt(linked.peer);
    expect((await holdfast(linked, ['link', linked.send, task])).out).toContain('reason  linked');
    await passes(linked.world, 30_000);
    expect((await holdfast(linked, ['cancel', linked.taskId, '--yes'])).out).toContain(
      'status  cancelled',
    );
    const given = await unknownWorld();
    expect((await holdfast(given, ['abandon', given.send, '--yes'])).out).toContain(
      'state  abandoned',
    );
    const { error, exit } = await holdfast(given, ['abandon', given.send, '--yes']);
    expect({ exit, error }).toEqual({
      exit: 1,
      error:
        'holdfast: the run does not wait for this send any more, or its outcome is known by now (SEND_SETTLED); `holdfast run <id>` shows what became of it\n',
    });
  });
});

describe('--watch', () => {
  it('shows it again and again until it is ended, over a failure, too', async () => {
    const made = await approvalWorld();
    let looks = 0;
    const { error, exit, out } = await holdfast(made, ['runs', '--watch'], {
      ended: () => looks === 4,
      pause: () => Promise.resolve(void (looks += 1)),
      request: (url, init) => (looks === 2 ? Promise.reject(new Error('down')) : fetch(url, init)),
    });
    expect(exit).toBe(0);
    expect(out.match(/waiting_for_approval/g)).toHaveLength(3);
    expect(error).toContain('nothing answers at');
    expect(error).toContain('the newest look is of 2027-01-15T08:00:00.000Z, 0ms ago');
  });

  it('redraws a screen, and keeps to one line a look as JSON', async () => {
    const made = await approvalWorld();
    const twice = () => {
      let looks = 0;
      return { ended: () => looks === 2, pause: () => Promise.resolve(void (looks += 1)) };
    };
    const drawn = await holdfast(made, ['status', '--watch'], { ...twice(), columns: () => 80 });
    expect(drawn.out.split('\u001b[H\u001b[2J')).toHaveLength(3);
    const lines = await holdfast(made, ['status', '--watch', '--json'], {
      ...twice(),
      columns: () => 80,
    });
    expect(lines.out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('says on a screen that the server is away, and of what time the words below are', async () => {
    const made = await approvalWorld();
    let looks = 0;
    const { out } = await holdfast(made, ['runs', '--watch'], {
      columns: () => 80,
      ended: () => looks === 3,
      pause: async () => {
        looks += 1;
        await made.world.clock.advance(60_000);
      },
      request: (url, init) => (looks > 0 ? Promise.reject(new Error('down')) : fetch(url, init)),
    });
    const [, first = '', , last = ''] = stripVTControlCharacters(out).split(
      /holdfast runs, |holdfast: nothing/,
    );
    expect(first).toContain('as of 2027-01-15T08:00:00.000Z');
    expect(last).toContain('the newest look is of 2027-01-15T08:00:00.000Z, 2m 0s ago');
    // The rows are those of that look, with their ages as they were.
    expect(last).toContain('waiting_for_approval  0ms ago');
  });

  it('waits as long as it is told to', async () => {
    const made = await approvalWorld();
    const pauses: number[] = [];
    const options = {
      ended: () => pauses.length === 1,
      pause: (span: number) => Promise.resolve(void pauses.push(span)),
    };
    await holdfast(made, ['status', '--watch', '--interval', '0.5'], options);
    expect(pauses).toEqual([500]);
  });
});

describe('a command line that is no good', () => {
  it.each([
    [['frobnicate'], 2, 'frobnicate is no command; `holdfast --help` lists them'],
    [['aprove'], 2, 'aprove is no command; did you mean approve?'],
    [['runs', '--stats', 'open'], 2, '--stats is no option of runs; did you mean --status?'],
    [['runs', '--columns', 'run,statsu'], 2, '--columns: "statsu" is no column; there are run, '],
    [['runs', '--since', 'soon'], 2, '--since is "soon"; give how long ago'],
    [['runs', '--color', 'pink'], 2, '--color is "pink"; it must be one of auto, always, never'],
    [['run'], 2, 'the id of the run is missing'],
    [['run', 'a', 'b'], 2, 'b is one argument too many'],
    [['runs', '--frob'], 2, '(see holdfast runs --help)'],
    [['approve', 'a', '--watch'], 2, "it can't be watched"],
    [['status', '--watch', '--interval', 'soon'], 2, '--interval'],
    [['status', '--url', 'localhost'], 2, 'give an http or https URL'],
    [['abandon', 'nosuch'], 1, 'send not found (SEND_NOT_FOUND); `holdfast inbox` shows'],
    [
      ['runs', '--status', 'faild'],
      2,
      'status: "faild" is not known, and no run has it; it is one of queued',
    ],
    [['run', 'nonsense'], 1, '(RUN_NOT_FOUND); `holdfast runs` shows the runs that you may see'],
    [['runs', '--limit', '0'], 2, 'limit'],
  ])('%j ends with %i and says what to do', async (args, exit, words) => {
    const made = await approvalWorld();
    const ran = await holdfast(made, args);
    expect(ran.exit).toBe(exit);
    expect(ran.error).toContain(words);
    expect(ran.out).toBe('');
  });

  it('says what to do when nothing answers, when it is not known, and when something else answers', async () => {
    const made = await approvalWorld();
    const down = await holdfast({ api: { url: 'http://127.0.0.1:1' } }, ['status']);
    expect(down).toMatchObject({
      exit: 3,
      error: expect.stringContaining('start it with `holdfast start`') as string,
    });
    const unknown = await holdfast(made, ['status'], { as: '§' });
    expect(unknown.exit).toBe(3);
    const other = () => Promise.resolve(new Response('<html>', { status: 200 }));
    const strange = await holdfast(made, ['status'], { request: other });
    expect(strange).toMatchObject({
      exit: 3,
      error: expect.stringContaining('check --url') as string,
    });
    const refused = await holdfast(made, ['cancel', made.taskId], { as: 'view' });
    expect(refused).toMatchObject({
      exit: 1,
      error: expect.stringContaining('this needs the right cancel') as string,
    });
  });
});

describe('in a terminal', () => {
  const screen = { columns: () => 60, environment: {} };

  it('lists are cut to its width, with ids that are as short as they may be', async () => {
    const made = await approvalWorld();
    const environment = { HOLDFAST_OPERATOR_URL: made.api.url, HOLDFAST_TOKEN: 'all' };
    const { out } = await holdfast(made, ['runs'], { ...screen, environment });
    expect(stripVTControlCharacters(out)).toBe(
      `run       agent     status                changed\n${made.taskId.slice(0, 8)}  modelled  waiting_for_approval  0ms ago  approval…\n`,
    );
    expect(out).toContain('\u001b[33mwaiting_for_approval\u001b[39m');
    const plainly = { ...screen, environment: { ...environment, NO_COLOR: '1' } };
    expect((await holdfast(made, ['runs'], plainly)).out).toBe(stripVTControlCharacters(out));
  });

  it('columns are chosen, and instants shown', async () => {
    const made = await approvalWorld();
    const args = ['runs', '--columns', 'status,created', '--exact', '--since', '1h'];
    expect((await holdfast(made, args)).out).toBe(
      'status                created\nwaiting_for_approval  2027-01-15T08:00:00.000Z\n',
    );
  });
});

describe('help', () => {
  it('fits 80 columns, on every page', async () => {
    const api = { url: 'http://127.0.0.1:1' };
    const pages = [
      help(),
      HELP,
      RESTORE_HELP,
      IMPORT_HELP,
      FILES_HELP,
      ...(await Promise.all(
        COMMANDS.map(async ({ name }) => (await holdfast({ api }, [name, '--help'])).out),
      )),
    ];
    const shown = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      pages.push(String(text));
      return true;
    });
    for (const program of PROGRAMS) expect(await (await program.load())(['--help'])).toBe(0);
    shown.mockRestore();
    const over = pages.flatMap((page) => page.split('\n')).filter((each) => each.length > 80);
    expect(over).toEqual([]);
  });

  it('help <command> tells of any command, and says which was meant of none', async () => {
    const api = { url: 'http://127.0.0.1:1' };
    for (const name of ['cancel', 'deploy', 'start', 'restore', 'purge'])
      expect((await holdfast({ api }, ['help', name])).out).toMatch(
        new RegExp(`^Usage: holdfast (?:${name}|<command>)`),
      );
    const { error, exit } = await holdfast({ api }, ['help', 'depoly']);
    expect(exit).toBe(2);
    expect(error).toContain('did you mean deploy?');
  });

  it('offers no option that the command refuses', async () => {
    const made = await approvalWorld();
    for (const { name, watchable = false } of COMMANDS) {
      const { out } = await holdfast(made, [name, '--help']);
      expect(out.includes('--watch')).toBe(watchable);
    }
  });

  it('--version is the release that the package says', async () => {
    const { out } = await holdfast({ api: { url: 'http://127.0.0.1:1' } }, ['--version']);
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect(out).toBe(`holdfast ${(JSON.parse(manifest) as { version: string }).version}\n`);
  });

  it('lists every command, and tells the options of each', async () => {
    const api = { url: 'http://127.0.0.1:1' };
    const { exit, out } = await holdfast({ api }, ['--help']);
    expect(exit).toBe(0);
    for (const { name, options = [] } of COMMANDS) {
      expect(out).toContain(`  ${name}`);
      const one = await holdfast({ api }, [name, '--help']);
      expect(one.exit).toBe(0);
      for (const option of options) expect(one.out).toContain(`--${option.name}`);
    }
    for (const name of ['purge', 'tighten', 'rewrap', 'rotate-key', 'retire-keys'])
      expect(out).toContain(`  ${name}`);
  });
});

it('events are read across the borders of chunks, and comments left out', async () => {
  const text = ': hi\n\nid: 1\nevent: task\ndata: {"a":\ndata: 1}\n\nevent: rest\ndata: {}\n\n';
  for (const size of [1, 3, 1_000]) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      new TextEncoder().encode(text.slice(at * size, (at + 1) * size)),
    );
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    const events: unknown[] = [];
    for await (const event of eventsOf(body)) events.push(event);
    expect(events).toEqual([
      { name: 'task', data: { a: 1 }, id: '1' },
      { name: 'rest', data: {} },
    ]);
  }
});
