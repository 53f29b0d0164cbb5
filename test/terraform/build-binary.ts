import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from './run-program.ts';

export const VERSION = '1.11.4';
const MODULE = 'github.com/hashicorp/terraform';

/** A build that takes longer is given up. */
const LIMIT = 15 * 60_000;

/**
 * State stores that are modules of their own inside the repository, so no published version of the
 * main module has them.
 */
const NESTED = ['azure', 'consul', 'cos', 'gcs', 'kubernetes', 'oss', 'pg', 's3'].map(
  (name) => `internal/backend/remote-state/${name}`,
);

/**
 * Builds Terraform from its Go module: the same sources without the remote state stores, which
 * `go install` can't resolve and these tests don't use. Minutes the first time, most of them to
 * fetch and compile what it needs. Throws when Go can't do it.
 */
export async function buildBinary(target: string): Promise<void> {
  const source = mkdtempSync(join(tmpdir(), 'holdfast-terraform-'));
  const env = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false', GOWORK: 'off' };
  const must = async (command: string, ...args: readonly string[]): Promise<string> => {
    const options = { cwd: source, env, timeout: LIMIT };
    const { code, stdout, output } = await runProgram(command, args, options);
    if (code !== 0) throw new Error(`${command} ${args[0] ?? ''}: ${output.slice(-500)}`);
    return stdout;
  };
  try {
    const answer = await must('go', 'mod', 'download', '-json', `${MODULE}@v${VERSION}`);
    const { Dir: downloaded } = JSON.parse(answer) as { readonly Dir: string };
    cpSync(downloaded, source, { recursive: true });
    // The module cache is read-only.
    await must('chmod', '-R', 'u+w', source);
    const without = [...NESTED, 'internal/legacy'].flatMap((path) => [
      `-droprequire=${MODULE}/${path}`,
      `-dropreplace=${MODULE}/${path}`,
    ]);
    // Newer Go versions don't know this setting any more.
    await must('go', 'mod', 'edit', ...without, '-dropgodebug=tlskyber');
    dropNestedStores(join(source, 'internal/backend/init/init.go'));
    mkdirSync(dirname(target), { recursive: true });
    const flags = `-s -w -X ${MODULE}/version.dev=no`;
    await must('go', 'build', '-trimpath', '-ldflags', flags, '-o', target, '.');
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}

function dropNestedStores(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  const gone = new Set<string>();
  for (const line of lines) {
    const [, alias = '', path = ''] =
      /^\s*(\w+) "github\.com\/hashicorp\/terraform\/(.+)"$/.exec(line) ?? [];
    if (NESTED.includes(path)) gone.add(alias);
  }
  const kept = lines.filter(
    (line) => ![...gone].some((alias) => new RegExp(`\\b${alias}\\b`).test(line)),
  );
  writeFileSync(file, kept.join('\n'));
}
