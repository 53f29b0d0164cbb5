import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, EXIT } from '../../functions/cli/cli-error.ts';

const OLDEST_MINOR = 9;
const BACKEND = 'state.gcs.tfbackend';

/** Terraform in the folder of a configuration. Each throws CliError where Terraform fails. */
export interface Terraform {
  init(): void;
  /** Shows the plan and writes it to `file`. Answers whether it changes anything. */
  plan(file: string): boolean;
  /** Applies that plan; Terraform refuses one that is out of date. */
  apply(file: string): void;
  output(name: string): string;
}

/** Throws CliError where there is no Terraform that is new enough. */
export function openTerraform(folder: string): Terraform {
  requireVersion();
  const run = (...args: readonly string[]): number | null =>
    spawnSync('terraform', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }).status;
  const must = (...args: readonly string[]): void => {
    if (run(...args) !== 0) throw failed(args[0] ?? '');
  };
  return {
    init() {
      const backend = existsSync(join(folder, BACKEND)) ? [`-backend-config=${BACKEND}`] : [];
      must('init', '-input=false', ...backend);
    },
    plan(file) {
      // 0: nothing to change; 2: something would change.
      const status = run('plan', '-input=false', '-detailed-exitcode', `-out=${file}`);
      if (status !== 0 && status !== 2) throw failed('plan');
      return status === 2;
    },
    apply(file) {
      must('apply', '-input=false', file);
    },
    output(name) {
      const { status, stdout } = spawnSync('terraform', ['output', '-raw', name], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (status !== 0) throw failed(`output ${name}`);
      return stdout.trim();
    },
  };
}

function failed(command: string): CliError {
  return new CliError(EXIT.refused, `terraform ${command} failed; its words are above`);
}

function requireVersion(): void {
  const { error, stdout } = spawnSync('terraform', ['version', '-json'], { encoding: 'utf8' });
  if (error !== undefined)
    throw new CliError(
      EXIT.usage,
      'terraform is not on the PATH; install 1.9 or newer (https://developer.hashicorp.com/terraform/install), and run this again',
    );
  const [, major = '0', minor = '0'] = /"terraform_version": "(\d+)\.(\d+)/.exec(stdout) ?? [];
  if (major !== '1' || Number(minor) < OLDEST_MINOR)
    throw new CliError(
      EXIT.usage,
      `terraform is ${major}.${minor}; the module needs 1.9 or newer, below 2`,
    );
}
