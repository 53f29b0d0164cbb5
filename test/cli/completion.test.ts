import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SCRIPTS, type Shell } from '../../functions/cli/completion-scripts.ts';
import { approvalWorld, type Asking, unknownWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

const HOLDFAST = fileURLToPath(new URL('../../functions/cli/holdfast.mjs', import.meta.url));
const wordsOf = (out: string) => out.split('\n').flatMap((line) => line.split('\t')[0] || []);

async function offered(made: Pick<Asking, 'api'>, ...words: readonly string[]) {
  const { error, exit, out } = await holdfast(made, ['__complete', ...words], {
    pause: () => new Promise(() => undefined),
  });
  expect({ error, exit }).toEqual({ error: '', exit: 0 });
  return wordsOf(out);
}

describe('what is offered at the cursor', () => {
  it('commands, options and their values', async () => {
    const made = await approvalWorld();
    expect(await offered(made, 'ru')).toEqual(['runs', 'run']);
    expect(await offered(made, 'pur')).toEqual(['purge']);
    expect(await offered(made, 'runs', '--sta')).toEqual([
      '--status',
      '--started-since',
      '--started-until',
    ]);
    expect(await offered(made, 'runs', '--status', 'comp')).toEqual(['completed']);
    expect(await offered(made, 'runs', '--color', 'a')).toEqual(['auto', 'always']);
    expect(await offered(made, 'runs', '--columns', 'run,sta')).toEqual(['run,status']);
    expect(await offered(made, 'keys', 'r')).toEqual(['revoke']);
    expect(await offered(made, 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await offered(made, 'nosuch', '')).toEqual([]);
  });

  it('ids and agents, as the server knows them', async () => {
    const made = await approvalWorld();
    const short = made.taskId.slice(0, 5);
    expect(await offered(made, 'run', short)).toEqual([made.taskId]);
    expect(await offered(made, 'approve', '--direct', '')).toEqual([made.taskId]);
    expect(await offered(made, 'input', '')).toEqual([]);
    expect(await offered(made, 'runs', '--agent', '')).toEqual(['modelled']);
    const lost = await unknownWorld();
    expect(await offered(lost, 'resend', '')).toEqual([lost.send]);
  });

  it('is nothing where the server is away or slow, and no word is said of it', async () => {
    const away = { api: { url: 'http://127.0.0.1:1' } };
    expect((await holdfast(away, ['__complete', 'run', ''])).out).toBe('');
    const made = await approvalWorld();
    const slow = await holdfast(made, ['__complete', 'run', ''], {
      request: () => new Promise(() => undefined),
      pause: () => Promise.resolve(),
    });
    expect(slow).toEqual({ exit: 0, out: '', error: '' });
  });

  it('runs no command that prints a token', async () => {
    const made = await approvalWorld();
    const mark = join(mkdtempSync(join(tmpdir(), 'holdfast-')), 'ran');
    const environment = {
      HOLDFAST_OPERATOR_URL: made.api.url,
      HOLDFAST_TOKEN_COMMAND: `touch ${mark}`,
    };
    expect((await holdfast(made, ['__complete', 'run', ''], { environment })).out).toBe('');
    expect(spawnSync('test', ['-e', mark]).status).toBe(1);
  });
});

describe('completion', () => {
  it('prints a script for each shell, and names them for another', async () => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['completion', 'fish']);
    expect(out).toBe(SCRIPTS.fish);
    expect(await holdfast(made, ['completion', 'tcsh'])).toMatchObject({
      exit: 2,
      error: expect.stringContaining('one of bash, zsh, fish') as string,
    });
  });
});

/** A shell that has read the script, and what it then answers to that. */
async function inShell(made: Asking, shell: Shell, args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const command = join(folder, 'holdfast');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${HOLDFAST}' "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(join(folder, 'script'), SCRIPTS[shell]);
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    HOLDFAST_OPERATOR_URL: made.api.url,
    HOLDFAST_TOKEN: 'all',
    SCRIPT: join(folder, 'script'),
  };
  return new Promise((resolve, reject) => {
    execFile(shell, args, { env, cwd: folder }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${shell}: ${stderr || error.message}`));
    });
  });
}

const has = (shell: Shell): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const missing = (shell: Shell): string =>
  has(shell) ? '' : ` (SKIPPED: there is no ${shell} on this machine; apt-get install ${shell})`;

describe('in the shells themselves', () => {
  it.skipIf(!has('bash'))(`bash offers what begins so${missing('bash')}`, async () => {
    const made = await approvalWorld();
    const ask = (words: string, at: number) =>
      inShell(made, 'bash', [
        '--norc',
        '-c',
        `source "$SCRIPT"; COMP_WORDS=(${words}); COMP_CWORD=${at}; _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p holdfast`,
      ]);
    expect(await ask('holdfast sta', 1)).toBe(
      'status\nstart\ncomplete -o default -F _holdfast holdfast\n',
    );
    const id = await ask(`holdfast run ${made.taskId.slice(0, 4)}`, 2);
    expect(id.split('\n')[0]).toBe(made.taskId);
  });

  // A real line of a real terminal: zsh's own module makes it one.
  it.skipIf(!has('zsh'))(`zsh completes the line at Tab${missing('zsh')}`, async () => {
    const made = await approvalWorld();
    const drive = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u; source $SCRIPT; echo re''ady"
      zpty -r shell out '*ready*'
      zpty -n -w shell $'holdfast run ${made.taskId.slice(0, 4)}\\t'
      zpty -r shell out '*${made.taskId.slice(9)}*'
      print -r -- "$out"
      zpty -d shell`;
    expect(await inShell(made, 'zsh', ['-f', '-c', drive])).toContain(made.taskId.slice(5));
  });

  it.skipIf(!has('fish'))(`fish offers what begins so${missing('fish')}`, async () => {
    const made = await approvalWorld();
    const ask = (line: string) =>
      inShell(made, 'fish', [
        '--no-config',
        '-c',
        `source $SCRIPT; complete -C ${JSON.stringify(line)}`,
      ]);
    expect(wordsOf(await ask('holdfast sta')).toSorted()).toEqual(['start', 'status']);
    expect(wordsOf(await ask('holdfast run '))).toEqual([made.taskId]);
    expect(await ask('holdfast runs --exa')).toBe(
      '--exact\tshows instants in place of how long ago they were\n',
    );
  });
});
