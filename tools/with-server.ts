import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Runs this checkout on free ports, over a new folder, for as long as `work` takes. */
export async function withServer<T>(
  agent: string,
  flags: readonly string[],
  work: (url: string) => Promise<T>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'holdfast-tools-'));
  const ports = ['--port=0', '--operator-port=0'];
  const args = ['functions/cli/main.ts', 'start', ...ports, '--agents', agent, '--data', data];
  const server = spawn(process.execPath, [...args, '--allow-private-webhooks', ...flags], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const [, url] = /^holdfast ready (\S+)$/.exec(line) ?? [];
      if (url === undefined) continue;
      server.stdout.resume();
      return await work(url);
    }
    throw new Error('the server did not start; see the lines above');
  } finally {
    server.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}
