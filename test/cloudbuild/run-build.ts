import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROJECT } from '../packages/unpack.ts';
import type { BuildFile, Step } from './build-file.ts';

const TOOLS = ['npm', 'apt-get', 'terraform', 'gcloud'];

/**
 * A place for builds: buckets that outlive each of them, and the tools that a machine without an
 * account has not.
 */
export class CloudBuild {
  readonly #folder: string;
  readonly #endpoint: string;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
    this.#folder = mkdtempSync(join(tmpdir(), 'holdfast-cloudbuild-'));
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
    mkdirSync(join(this.#folder, 'bin'));
    for (const tool of TOOLS) {
      cpSync(join(import.meta.dirname, 'stub.sh'), join(this.#folder, 'bin', tool));
    }
    const emulator = join(this.#folder, 'sdk/platform/cloud-firestore-emulator');
    mkdirSync(emulator, { recursive: true });
    writeFileSync(join(emulator, 'cloud-firestore-emulator.jar'), '');
  }

  /** Puts a file into a bucket. */
  keep(path: string, text: string): void {
    const file = join(this.#folder, 'buckets', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /**
   * Runs the steps of a file in a workspace of their own; what the tools were asked to do, line by
   * line.
   */
  run(file: BuildFile, substitutions: Readonly<Record<string, string>>): Ran {
    const workspace = mkdtempSync(join(this.#folder, 'workspace-'));
    for (const path of ['package.json', 'package-lock.json', 'tools']) {
      symlinkSync(join(PROJECT, path), join(workspace, path));
    }
    mkdirSync(join(workspace, 'terraform'));
    const log = join(workspace, 'log');
    writeFileSync(log, '');
    const values = { ...file.substitutions, ...substitutions };
    let output = '';
    for (const step of file.steps) {
      const ran = this.#runStep(step, workspace, values, log);
      output += ran.output;
      if (ran.status !== 0) return { failed: step.id, output, asked: linesOf(log) };
    }
    return { failed: undefined, output, asked: linesOf(log) };
  }

  #runStep(
    step: Step,
    workspace: string,
    values: Readonly<Record<string, string>>,
    log: string,
  ): { readonly status: number | null; readonly output: string } {
    const script = join(workspace, `script-of-${step.id}`);
    writeFileSync(script, step.script, { mode: 0o755 });
    const given = step.env.map((each) => {
      const [name = '', ...value] = each.split('=');
      return [
        name,
        value.join('=').replace(/\$\{?(\w+)\}?/g, (_, key: string) => values[key] ?? ''),
      ];
    });
    const { status, stdout, stderr } = spawnSync(script, [], {
      cwd: join(workspace, step.dir ?? '.'),
      encoding: 'utf8',
      env: {
        PATH: [join(this.#folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(':'),
        STUB_LOG: log,
        STUB_PROJECT: PROJECT,
        STUB_BUCKETS: join(this.#folder, 'buckets'),
        STUB_SDK: join(this.#folder, 'sdk'),
        STUB_ENDPOINT: this.#endpoint,
        ...Object.fromEntries(given),
      },
    });
    return { status, output: `${stdout}${stderr}` };
  }
}

export interface Ran {
  /** The step that failed. */
  readonly failed: string | undefined;
  readonly output: string;
  /** What the tools were asked to do. */
  readonly asked: readonly string[];
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
