import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Server, useFleet } from '../e2e/server.ts';

const HOLDFAST = fileURLToPath(new URL('../../functions/cli/holdfast.mjs', import.meta.url));
const fleet = useFleet();
let server: Server;

beforeAll(async () => {
  server = await fleet.start({ store: 'embedded', alone: true });
});

interface Ran {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** `npx --no holdfast`, as a process of its own beside a data folder. */
function holdfast(data: string, ...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, HOLDFAST_DATA: data };
    execFile(process.execPath, [HOLDFAST, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

async function send(text: string): Promise<string> {
  const response = await fetch(`${server.url}/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: { messageId: text, role: 'ROLE_USER', parts: [{ text }] } }),
  });
  const { task } = (await response.json()) as { task: { id: string } };
  return task.id;
}

describe('npm start and npx --no holdfast beside its data folder', () => {
  it('find each other, with a token that only the owner of the folder can read', async () => {
    const id = await send('steps=1');
    const listed = await holdfast(server.data, 'runs');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain(id);
    const shown = await holdfast(server.data, 'run', id, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, status: 'completed' });
    expect(statSync(join(server.data, 'operators.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(server.data, 'operator-url'), 'utf8')).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\n$/,
    );
  });

  it('lets no request in without the token, nor with one that was guessed', async () => {
    const url = readFileSync(join(server.data, 'operator-url'), 'utf8').trim();
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${url}/runs`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ Authorization: 'Bearer local' })).toBe(401);
    expect((await holdfast(server.data, 'runs', '--token', 'x'.repeat(64))).code).toBe(3);
  });

  it('takes a right away while it runs, when the file says so', async () => {
    const file = join(server.data, 'operators.json');
    const before = readFileSync(file, 'utf8');
    const operators = JSON.parse(before) as { local: { may: string[] } };
    const id = await send('steps=1 again');
    operators.local.may = ['view'];
    writeFileSync(file, JSON.stringify(operators));
    const refused = await holdfast(server.data, 'cancel', id, '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('this needs the right cancel');
    writeFileSync(file, '{');
    expect((await holdfast(server.data, 'runs', '--token', 'y'.repeat(64))).code).toBe(3);
    writeFileSync(file, before);
    expect((await holdfast(server.data, 'runs')).code).toBe(0);
  });

  it('takes a token that a command prints', async () => {
    const file = join(server.data, 'operators.json');
    const { local } = JSON.parse(readFileSync(file, 'utf8')) as { local: { token: string } };
    const url = readFileSync(join(server.data, 'operator-url'), 'utf8').trim();
    const by = (command: string) =>
      holdfast('/nowhere', 'status', '--url', url, '--token-command', command);
    expect((await by(`printf %s '${local.token}'`)).code).toBe(0);
    expect(await by('exit 1')).toMatchObject({
      code: 3,
      stderr: 'holdfast: the token command printed no token: exit 1\n',
    });
  });

  it('removes a run with the commands that work on the rows', async () => {
    const id = await send('steps=1 purged');
    const asked = await holdfast(server.data, 'purge', id);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/^task +\S+\nagent +scripted\nstatus +completed, for /m);
    const [paste = ''] = asked.stderr.match(/(?<=^ {2}npx --no holdfast ).*$/m) ?? [];
    expect(paste).toBe(`purge ${id} --yes`);
    expect((await holdfast(server.data, 'run', id)).code).toBe(0);
    expect((await holdfast(server.data, ...paste.split(' '))).stdout).toBe(`${id}: purged\n`);
    expect((await holdfast(server.data, 'run', id)).code).toBe(1);
    expect(await holdfast(server.data, 'purge', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: `holdfast: there is no task ${id} here; it may have been purged before\n`,
    });
  });

  it('says that nothing of an agent is there to be tightened', async () => {
    const args = ['tighten', '--answer', 'redacted', '--agent', 'nosuch'];
    const { code, stderr } = await holdfast(server.data, ...args);
    expect(code).toBe(1);
    expect(stderr).toContain('holdfast: no run of an agent "nosuch" is kept here');
  });
});

describe('a second server on a data folder', () => {
  const urlOf = (data: string) => readFileSync(join(data, 'operator-url'), 'utf8');

  it('does not start, says which process is there, and leaves the address alone', async () => {
    const [url, pid] = [urlOf(server.data), readFileSync(join(server.data, 'server-pid'), 'utf8')];
    for (const alone of [true, false])
      await expect(fleet.start({ store: 'embedded', data: server.data, alone })).rejects.toThrow(
        `${server.data} is used by the server with process id ${pid.trim()}; `,
      );
    expect(urlOf(server.data)).toBe(url);
    expect((await holdfast(server.data, 'runs')).code).toBe(0);
  });

  it('starts where both share it; the first says where operators find it, while it runs', async () => {
    const one = await fleet.start({ store: 'embedded' });
    const url = urlOf(one.data);
    const two = await fleet.start({ store: 'embedded', data: one.data });
    expect(urlOf(one.data)).toBe(url);
    await two.stop();
    expect(urlOf(one.data)).toBe(url);
    await one.stop();
    expect(existsSync(join(one.data, 'operator-url'))).toBe(false);
  });

  it('starts after one that was killed', async () => {
    const one = await fleet.start({ store: 'embedded', alone: true });
    const before = urlOf(one.data);
    await one.restart('kill');
    expect(urlOf(one.data)).not.toBe(before);
  });
});

describe("the operators' port", () => {
  it('that was asked for and is taken ends the start, and says so', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    try {
      await expect(
        fleet.start({ store: 'embedded', args: ['--operator-port', String(port)] }),
      ).rejects.toThrow(
        `port ${port} can't be used (EADDRINUSE); choose another with --operator-port`,
      );
    } finally {
      taken.close();
    }
  });
});
