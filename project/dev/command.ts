import { basename } from 'node:path';
import { projectAgents } from '../../functions/load-agents.ts';
import { runCommand } from '../../functions/run-command.ts';
import { readArguments } from '../../functions/start/arguments.ts';
import { placeOfHoldfast } from '../place.ts';
import { type Checked, checkAgents } from './checked.ts';
import { Server } from './server.ts';
import { Sources } from './sources.ts';

export const HELP = `Usage: holdfast dev [options]

Serves the agents on this machine, and again after each change to a file that
they are made of: runs that wait go on waiting, and those at work go on in the
new server. Agents that don't load are shown, and the server that runs goes on
with what it had.

A file .env in this folder sets variables for the agents.

Options: those of \`holdfast start\`, but --store google; see
\`holdfast start --help\`.

Exit codes: 0 it was stopped, 2 the agents or the options are not right at the
start.

Examples:
  holdfast dev
  holdfast dev --port 9000 --data /tmp/try
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (text: string): void => void process.stderr.write(`holdfast: ${text}\n`);

/** Serves until it is told to stop, and answers with the exit code. */
export function devCommand(args: readonly string[]): Promise<number> {
  return runCommand(async () => {
    const options = readArguments(args, process.env);
    if (options === undefined) {
      process.stdout.write(HELP);
      return 0;
    }
    const ending = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
    return await serve(args, options.agents ?? projectAgents(), ending.signal);
  });
}

async function serve(
  args: readonly string[],
  agents: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const place = placeOfHoldfast();
  const server = new Server(place, args, say);
  const sources = new Sources();
  let served = false;
  try {
    while (!signal.aborted) {
      const from = Date.now();
      const checked = await checkAgents(place, agents);
      sources.add(checked.files, from);
      if (checked.problem !== undefined) complain(refusal(checked.problem, server));
      else {
        const addresses = await server.restart();
        // What keeps it from starting at all is no matter of the agents: a port, an option.
        if (addresses === undefined && !served && !signal.aborted) return 2;
        if (addresses === undefined) complain('the server ended; it starts again after a change');
        else if (served) say(`${timeOfDay()} serving what changed at ${addresses.url}`);
        else greet(addresses.operator, checked);
        served ||= addresses !== undefined;
      }
      await sources.change(signal);
    }
    return 0;
  } finally {
    sources.close();
    await server.stop();
  }
}

function refusal(problem: string, server: Server): string {
  const goesOn = server.runs
    ? 'the server goes on with the agents that it had'
    : 'nothing is served';
  return `${problem}\n${goesOn}, until a change mends it`;
}

function greet(operator: string, { files }: Checked): void {
  say(`Console: ${operator}/console/ (npx --no holdfast console prints a link that signs you in)`);
  say(`Watching ${files.length === 1 ? basename(files[0] ?? '') : `${files.length} files`}.\n`);
}

const timeOfDay = (): string => new Date().toTimeString().slice(0, 8);
