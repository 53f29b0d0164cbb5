import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../functions/run-command.ts';
import { BadConfiguration } from '../../functions/settings.ts';
import { placeOfHoldfast } from '../place.ts';
import { dependencyOn } from './dependency.ts';
import { writeProject } from './write-project.ts';

export const HELP = `Usage: holdfast init <folder> [options]

Writes a project into a new or empty folder: an agent, a test of it, and its
deployment to Google Cloud with Terraform. Nothing is installed; it says what to
run next.

Options:
  --name <name>      of the project (default: that of the folder)
  --package <spec>   how the project depends on Holdfast: a version, or a .tgz
                     file, which is copied into vendor/ (default: what this
                     command was installed from)
  --help             shows this text

Exit codes: 0 written, 2 the folder is not empty, or the options are not right.

Examples:
  holdfast init my-agent
  holdfast init my-agent --package 0.1.0
`;

/** As npm takes it, without a scope. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,200}$/;

/** Writes a project, and answers with the exit code. */
export function initCommand(args: readonly string[]): Promise<number> {
  return runCommand(() => Promise.resolve(init(args)));
}

function init(args: readonly string[]): number {
  const { positionals, values } = parse(args);
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0)
    throw new BadConfiguration('give one folder for the project: holdfast init <folder>');
  const folder = resolve(given);
  requireEmpty(folder, given);
  const name = values.name ?? basename(folder).toLowerCase();
  if (!NAME.test(name))
    throw new BadConfiguration(
      `--name is ${JSON.stringify(name)}; a project's name has small letters, digits, ".", "_" and "-"`,
    );
  const place = placeOfHoldfast();
  const dependency = dependencyOn(place, values.package);
  mkdirSync(folder, { recursive: true });
  writeProject(place, { folder, name, dependency });
  const where = shorter(relative(process.cwd(), folder) || '.', folder);
  process.stdout.write(
    `${name} is in ${where}. Next:\n\n${where === '.' ? '' : `cd ${where}\n`}npm install\nnpm run dev\n`,
  );
  return 0;
}

const shorter = (a: string, b: string): string => (a.length <= b.length ? a : b);

function parse(args: readonly string[]) {
  try {
    const options = {
      help: { type: 'boolean' },
      name: { type: 'string' },
      package: { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`${reason} (see holdfast init --help)`);
  }
}

/** A repository that has nothing in it yet is empty, too. */
function requireEmpty(folder: string, given: string): void {
  if (!existsSync(folder)) return;
  const found = readdirSync(folder).filter((name) => name !== '.git');
  if (found.length > 0)
    throw new BadConfiguration(
      `${given} is not empty (it has ${found.slice(0, 3).join(', ')}); nothing was written. Name a new folder`,
    );
}
