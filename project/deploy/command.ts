import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CliError, EXIT } from '../../functions/cli/cli-error.ts';
import { type Ask, askAtTerminal, confirm, sameCommand } from '../../functions/cli/confirm.ts';
import { runCommand } from '../../functions/run-command.ts';
import { BadConfiguration } from '../../functions/settings.ts';
import { buildCommand } from '../build/command.ts';
import { readCard, sendOne, SmokeFailed } from './smoke.ts';
import { openTerraform, type Terraform } from './terraform.ts';

export const HELP = `Usage: holdfast deploy [options]

Packs the functions, shows what Terraform would change, applies exactly that
after a yes, and sends a message to what is deployed. Run again, it changes what
has changed.

Options:
  --agents <module>   publishes the agents of this module instead of
                      agents/index.ts
  --terraform <dir>   the folder with the Terraform configuration (default:
                      terraform)
  --dry-run           ends after the plan: nothing is changed
  --yes               applies the plan without a question, whatever it is
  --text <words>      the message that is sent in the end (default: hello)
  --timeout <s>       how long a new deployment may take to answer (default:
                      120)
  --help              shows this text

Where IAM guards the agents, HOLDFAST_IDENTITY_TOKEN is a token for the message.
Exit codes: 0 it is deployed and answered, 1 refused or failed, 2 not
understood.

Examples:
  holdfast deploy --dry-run
  holdfast deploy --agents agents/next.ts --yes
`;

interface Options {
  readonly agents: string | undefined;
  readonly folder: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly text: string;
  /** Milliseconds. */
  readonly timeout: number;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What a deployment is made with; a test has others. */
export interface Means {
  /** Undefined where no person can be asked. */
  readonly ask: Ask | undefined;
  /** Packs the functions; answers with the exit code. */
  readonly build: (args: readonly string[]) => Promise<number>;
}

/** Deploys, and answers with the exit code. */
export function deployCommand(
  args: readonly string[],
  { ask, build }: Means = { ask: askAtTerminal(), build: buildCommand },
): Promise<number> {
  return runCommand(async () => {
    const options = optionsOf(args);
    if (options === undefined) {
      process.stdout.write(HELP);
      return 0;
    }
    requireConfiguration(options.folder);
    const terraform = openTerraform(options.folder);
    const built = await build(options.agents === undefined ? [] : ['--agents', options.agents]);
    if (built !== 0) return built;
    const plan = resolve('.holdfast', 'deploy.tfplan');
    mkdirSync(resolve('.holdfast'), { recursive: true });
    try {
      terraform.init();
      const changes = terraform.plan(plan);
      if (options.dryRun) {
        say('\nNothing was changed: this was a dry run.');
        return 0;
      }
      if (changes) {
        const paste = sameCommand(['deploy', ...args], '--yes');
        const shown = '\nThe plan above is what would be changed.';
        await confirm({ shown, question: 'Apply it', yes: options.yes, ask, paste });
        terraform.apply(plan);
      }
    } finally {
      // It holds values of the configuration.
      rmSync(plan, { force: true });
    }
    await smoke(terraform, options);
    return 0;
  });
}

function optionsOf(args: readonly string[]): Options | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const seconds = Number(values.timeout);
  if (!(seconds > 0))
    throw new BadConfiguration(`--timeout ${values.timeout} is no number of seconds`);
  return {
    agents: values.agents,
    folder: resolve(values.terraform),
    dryRun: values['dry-run'] === true,
    yes: values.yes === true,
    text: values.text,
    timeout: seconds * 1_000,
  };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      agents: { type: 'string' },
      terraform: { type: 'string', default: 'terraform' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      text: { type: 'string', default: 'hello' },
      timeout: { type: 'string', default: '120' },
      help: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`${reason} (see holdfast deploy --help)`);
  }
}

/** Before minutes of work: what only the author can fill in. */
function requireConfiguration(folder: string): void {
  if (!existsSync(folder))
    throw new BadConfiguration(
      `there is no ${folder}; \`holdfast init\` writes one, and --terraform names another`,
    );
  for (const name of ['terraform.tfvars', 'state.gcs.tfbackend']) {
    const example = join(folder, `${name}.example`);
    if (existsSync(example) && !existsSync(join(folder, name)))
      throw new BadConfiguration(
        `${join(folder, name)} is missing: copy ${name}.example there, and fill it in`,
      );
  }
}

async function smoke(terraform: Terraform, { text, timeout }: Options): Promise<void> {
  const url = terraform.output('endpoint');
  const deadline = AbortSignal.timeout(timeout);
  const token = process.env['HOLDFAST_IDENTITY_TOKEN'] || undefined;
  try {
    say(`\nok   the card of ${await readCard({ url, deadline, token })} at ${url}`);
    say(`ok   ${await sendOne({ url, deadline, token }, text)}`);
  } catch (error) {
    if (!(error instanceof SmokeFailed)) throw error;
    const guarded = token === undefined && /\b40[13]\b/.test(error.message);
    const hint = guarded
      ? `\nIf callers need a token: HOLDFAST_IDENTITY_TOKEN=$(gcloud auth print-identity-token) npx --no holdfast deploy`
      : '';
    throw new CliError(
      EXIT.refused,
      `it is deployed, and does not answer as it should: ${error.message}`,
      `The functions' logs say more; running the command again tries again.${hint}`,
    );
  }
}
