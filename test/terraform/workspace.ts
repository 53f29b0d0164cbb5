import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveProvider } from './provider/serve.ts';
import { runProgram } from './run-program.ts';

export const TERRAFORM = join(import.meta.dirname, '../../terraform');

export interface Outcome {
  readonly ok: boolean;
  /** What it printed, errors too. */
  readonly output: string;
}

/** A copy of the terraform folder in which commands can run, against the provider for tests. */
export interface Workspace {
  readonly folder: string;
  /** Runs a command in a folder of the copy. */
  readonly run: (place: string, ...args: readonly string[]) => Promise<Outcome>;
  /** As `run`; throws what was printed when it fails. */
  must(place: string, ...args: readonly string[]): Promise<string>;
  edit(file: string, change: (text: string) => string): void;
  close(): void;
}

/** Nothing of the developer's own Terraform: no settings, no credentials, no downloads. */
const ENVIRONMENT = {
  CHECKPOINT_DISABLE: '1',
  TF_IN_AUTOMATION: '1',
  TF_INPUT: '0',
  // Each command lives for a second: collecting its garbage would take a third of that.
  GOGC: 'off',
  GOMEMLIMIT: '1GiB',
};

export async function openWorkspace(binary: string): Promise<Workspace> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-terraform-'));
  cpSync(TERRAFORM, folder, {
    recursive: true,
    filter: (file) => !/\.terraform|\.tfstate|terraform\.tfvars$/.test(file),
  });
  // State stays in the copy, not in a bucket.
  writeFileSync(join(folder, 'test_override.tf'), 'terraform {\n  backend "local" {}\n}\n');
  const provider = await serveProvider();
  const run = async (place: string, ...args: readonly string[]): Promise<Outcome> => {
    const { code, output } = await runProgram(binary, args, {
      cwd: join(folder, place),
      env: { ...ENVIRONMENT, ...provider.environment },
      inherit: (name) => !/^(TF_|GOOGLE_|HOLDFAST_)/.test(name),
    });
    return { ok: code === 0, output };
  };

  return {
    folder,
    run,
    async must(place, ...args) {
      const { ok, output } = await run(place, ...args);
      if (!ok) throw new Error(`terraform ${args.join(' ')}\n${output}`);
      return output;
    },
    edit(file, change) {
      const path = join(folder, file);
      const before = readFileSync(path, 'utf8');
      const after = change(before);
      if (after === before) throw new Error(`nothing to change in ${file}`);
      writeFileSync(path, after);
    },
    close() {
      provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
