import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, createReadStream, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusalOfNames, refusalOfPath } from '../../shared/files/entry-rules.ts';
import { extractArchive } from '../../shared/files/extract-archive.ts';
import { temporary } from './repository.ts';
import { snapshot } from './snapshot.ts';

const LIMITS = { count: 1_000, bytes: 2 ** 26, fileBytes: 2 ** 24, depth: 32, ratio: 2_000 };
const HAS_TAR = spawnSync('tar', ['--version']).status === 0;
if (!HAS_TAR) process.stderr.write('tar is not on this machine: what it packs is not tested\n');
const FORMATS = ['gnu', 'pax', 'ustar', 'v7'] as const;
/** What the format has no room for, tar leaves out, and says so. */
const LONGEST = { gnu: 255, pax: 255, ustar: 90, v7: 20 };

const name = (longest: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom('a', 'b', ' ', '-', 'ü'),
        minLength: 1,
        maxLength: longest,
      }),
    )
    .map((text) => text.replaceAll('/', '_'))
    .filter((text) => text !== '.' && text !== '..' && Buffer.byteLength(text) <= longest)
    .filter((text) => text.isWellFormed() && refusalOfPath(text) === undefined);

const tree = (longest: number) =>
  fc.array(
    fc.record({
      path: fc.array(name(longest), { minLength: 1, maxLength: 4 }),
      kind: fc.constantFrom('file', 'file', 'program', 'folder', 'link'),
      body: fc.oneof(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.integer({ min: 0, max: 100_000 }).map((size) => new Uint8Array(size).fill(size)),
      ),
    }),
    { maxLength: 12 },
  );

test.skipIf(!HAS_TAR).each(FORMATS)('what tar packed as %s comes out as it was', async (format) => {
  await fc.assert(
    fc.asyncProperty(tree(LONGEST[format]), async (nodes) => {
      const home = temporary();
      const from = join(home, 'from');
      mkdirSync(from);
      fill(from, nodes);
      const archive = join(home, 'archive.tar.gz');
      execFileSync('tar', ['--format', format, '-czf', archive, '-C', from, '.']);
      const to = join(home, 'to');
      await extractArchive(createReadStream(archive), to, LIMITS);
      expect(snapshot(to)).toEqual(snapshot(from));
    }),
    { numRuns: 10 },
  );
});

interface Node {
  readonly path: readonly string[];
  readonly kind: string;
  readonly body: Uint8Array;
}

/** Nodes that meet another are left out. */
function fill(root: string, nodes: readonly Node[]): void {
  const names = new Map<string, Set<string>>();
  for (const { path, kind, body } of nodes) {
    const steps = path.map((_, at) => path.slice(0, at).join('/'));
    const clash = path.some((each, at) => {
      const known = names.get(steps[at] ?? '') ?? new Set();
      return !known.has(each) && refusalOfNames([...known, each]) !== undefined;
    });
    if (clash) continue;
    try {
      mkdirSync(dirname(join(root, ...path)), { recursive: true });
      place(join(root, ...path), kind, body, path.length);
    } catch {
      continue;
    }
    for (const [at, each] of path.entries()) {
      const known = names.get(steps[at] ?? '') ?? new Set();
      names.set(steps[at] ?? '', known.add(each));
    }
  }
}

function place(path: string, kind: string, body: Uint8Array, depth: number): void {
  if (kind === 'folder') mkdirSync(path);
  else if (kind === 'link') symlinkSync(`${'../'.repeat(depth - 1)}some where/${depth}`, path);
  else {
    writeFileSync(path, body, { flag: 'wx' });
    if (kind === 'program') chmodSync(path, 0o755);
  }
}
