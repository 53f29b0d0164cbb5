// Runs the official clients of A2A against this checkout. See --help and docs/interop.md.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { withServer } from '../with-server.ts';
import { type ClientProgram, CLIENTS } from './clients.ts';
import { expectedOf, type Seen, seenIn } from './expected.ts';

const HELP = `Usage: npm run interop -- [options]

Has the official clients of A2A talk with this checkout, each with a server of its own, and compares what they see with what they must
(tools/interop/expected.ts). What a client needs is installed from its registry, at pinned versions, into node_modules/.cache; a client
whose tools are missing here is skipped, and says so. Two minutes, and as many again for the first time.

Options:
  --only <names>        some of ${CLIENTS.map(({ name }) => name).join()}
  --inspector <folder>  a clone of https://github.com/a2aproject/a2a-inspector, whose validators then judge what "python 0.3" gets
  --help                shows this text
`;

const AGENT = 'test/fixtures/agents/scripted.ts';

async function converse(
  client: ClientProgram,
  inspector: string,
): Promise<'ok' | 'skipped' | 'bad'> {
  const say = (words: string) =>
    process.stdout.write(`${client.name} (${client.about}): ${words}\n`);
  const found = await client.find();
  if (found.kind === 'missing') {
    say(`SKIPPED, it can't be installed here: ${found.why}`);
    return 'skipped';
  }
  const grpc = client.grpc ? ['--grpc-port', '0'] : [];
  const flags = ['--v0.3', '--log', 'error', ...grpc];
  const output = await withServer(AGENT, flags, async (url) => {
    const child = spawn(found.command, client.args(url, inspector), {
      stdio: 'pipe',
      timeout: 180_000,
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { out, errors };
  });
  const seen = seenIn(output.out);
  const inspected: Seen =
    client.name === 'python 0.3' && inspector !== '' ? { inspector: 'valid' } : {};
  let verdict: 'ok' | 'bad' = 'ok';
  for (const way of client.ways) {
    const expected = { ...expectedOf({ client: client.name, way }), ...inspected };
    const differences = differencesOf(expected, seen.get(way) ?? {});
    say(
      `${way}: ${differences.length === 0 ? `${Object.keys(expected).length} lines as expected` : 'NOT as expected'}`,
    );
    for (const line of differences) process.stdout.write(`  ${line}\n`);
    if (differences.length > 0) verdict = 'bad';
  }
  if (verdict === 'bad')
    process.stdout.write(`${output.errors.split('\n').slice(-15).join('\n')}\n`);
  return verdict;
}

function differencesOf(expected: Seen, seen: Seen): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(seen)]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(expected[name], seen[name]))
    .map((name) => `${name}: ${seen[name] ?? 'nothing'}, and not ${expected[name] ?? 'nothing'}`);
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    inspector: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(HELP);
else {
  const chosen = values.only?.split(',') ?? CLIENTS.map(({ name }) => name);
  for (const name of chosen) {
    if (!CLIENTS.some((client) => client.name === name))
      throw new Error(`no client ${name}; see --help`);
  }
  for (const client of CLIENTS.filter(({ name }) => chosen.includes(name))) {
    if ((await converse(client, values.inspector)) === 'bad') process.exitCode = 1;
  }
}
