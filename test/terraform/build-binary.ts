import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const VERSION = '1.11.4';
const MODULE = 'github.com/hashicorp/terraform';

/** State stores that are modules of their own inside the repository, so no published version of the main module has them. */
const NESTED = ['azure', 'consul', 'cos', 'gcs', 'kubernetes', 'oss', 'pg', 's3'].map(
  (name) => `internal/backend/remote-state/${name}`,
);

/**
 * Builds Terraform from its Go module: the same sources without the remote state stores, which `go install` can't resolve and
 * these tests don't use. Minutes the first time, most of them to fetch and compile what it needs. Throws when Go can't do it.
 */
export function buildBinary(target: string): void {
  const source = mkdtempSync(join(tmpdir(), 'holdfast-terraform-'));
  const go = (...args: string[]): string =>
    execFileSync('go', args, {
      cwd: source,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false', GOWORK: 'off' },
      timeout: 15 * 60_000,
    });
  try {
    const downloaded = JSON.parse(go('mod', 'download', '-json', `${MODULE}@v${VERSION}`)) as {
      readonly Dir: string;
    };
    cpSync(downloaded.Dir, source, { recursive: true });
    // The module cache is read-only.
    execFileSync('chmod', ['-R', 'u+w', source]);
    const without = [...NESTED, 'internal/legacy'].flatMap((path) => [
      `-droprequire=${MODULE}/${path}`,
      `-dropreplace=${MODULE}/${path}`,
    ]);
    // Newer Go versions don't know this setting any more.
    go('mod', 'edit', ...without, '-dropgodebug=tlskyber');
    dropNestedStores(join(source, 'internal/backend/init/init.go'));
    mkdirSync(dirname(target), { recursive: true });
    const flags = `-s -w -X ${MODULE}/version.dev=no`;
    go('build', '-trimpath', '-ldflags', flags, '-o', target, '.');
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
