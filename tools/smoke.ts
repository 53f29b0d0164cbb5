// Is a deployment alive? Reads its agent card and sends one message. See --help.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sendOne, readCard, SmokeFailed, type Target } from '../project/deploy/smoke.ts';

const HELP = `Usage: node tools/node24.mjs tools/smoke.ts [options] <url>

Reads the agent card of a deployment and sends one message to its first agent. Exit code 0: the agent answered; 1: it did not;
2: bad options.

Options:
  --text <words>
      what is sent (default: a table of two rows)
  --timeout <seconds>
      for everything; until then a deployment that is not there yet, or whose permissions have not arrived, is tried again
      (default: 120)
  --token-file <file>
      an identity token for the deployment, for one that IAM guards [HOLDFAST_IDENTITY_TOKEN]
  --help
      shows this text
`;

class BadOptions extends Error {}

interface Options {
  readonly target: Target;
  readonly text: string;
}

function optionsOf(args: readonly string[]): Options | undefined {
  const { positionals, values } = parse(args);
  if (values.help) return undefined;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0 || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new BadOptions('give the http or https URL of one deployment');
  }
  const seconds = Number(values.timeout);
  if (!(seconds > 0)) throw new BadOptions(`--timeout ${values.timeout} is no number of seconds`);
  const token = tokenFrom(values['token-file']);
  const deadline = AbortSignal.timeout(seconds * 1_000);
  return { target: { url: url.replace(/\/+$/, ''), deadline, token }, text: values.text };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      help: { type: 'boolean', default: false },
      text: { type: 'string', default: 'city,area\nBerlin,891\nUlm,119\n' },
      timeout: { type: 'string', default: '120' },
      'token-file': { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new BadOptions(error instanceof Error ? error.message : String(error));
  }
}

/** Never from the command line, where every process of the machine can read it. */
function tokenFrom(file: string | undefined): string | undefined {
  if (file === undefined) return process.env['HOLDFAST_IDENTITY_TOKEN'] || undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new BadOptions(`--token-file ${file} can't be read`);
  }
}

async function smoke({ target, text }: Options): Promise<void> {
  const began = performance.now();
  const say = (line: string) => {
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    process.stdout.write(`ok   ${line} (${seconds} s)\n`);
  };
  const name = await readCard(target);
  say(`the card of ${name} at ${target.url}`);
  say(await sendOne(target, text));
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) process.stdout.write(HELP);
  else await smoke(options);
} catch (error) {
  if (error instanceof BadOptions) {
    process.stderr.write(`smoke: ${error.message} (see --help)\n`);
    process.exitCode = 2;
  } else if (error instanceof SmokeFailed) {
    process.stderr.write(`FAIL ${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
