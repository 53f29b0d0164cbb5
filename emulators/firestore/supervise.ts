// Runs a command until its own stdin closes. The process that started it holds the other end, so
// the command ends with that process, however it ends: a JVM does not notice that its parent was
// killed, and would stay for good.
//   node supervise.ts java ...
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));

// The emulator keeps nothing that is worth an orderly shutdown.
const end = (): void => {
  child.kill('SIGKILL');
};
process.stdin.on('close', end).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
