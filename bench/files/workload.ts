import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededIds } from '../../testing/seeded-ids.ts';

export interface Workload {
  readonly files: number;
  readonly bytes: number;
  readonly folders: number;
}

const WORDS =
  'const function return export import readonly string number await async if else for of new throw Error interface type value name path index entry'.split(
    ' ',
  );

/**
 * Source-like text, which compresses about two to one, in 7 of 10 files, and random bytes in the
 * others; sizes are log-normal.
 */
export function plant(folder: string, { files, bytes, folders }: Workload): void {
  const ids = seededIds(11);
  const random = () => ids.random();
  const sizes = Array.from({ length: files }, () => Math.exp(normal(random)));
  const unit = bytes / sizes.reduce((sum, size) => sum + size, 0);
  for (let at = 0; at < folders; at += 1) {
    mkdirSync(join(folder, `package-${at % 25}`, `part-${at}`), { recursive: true });
  }
  for (const [at, size] of sizes.entries()) {
    writeFileSync(pathOf(folder, folders, at), content(at, Math.round(size * unit), random));
  }
}

/** Changes the middle of some files, spread over all of them, for the given task. */
export function change(folder: string, { files, folders }: Workload, count: number, task: number) {
  for (let at = 0; at < count; at += 1) {
    const path = pathOf(folder, folders, (at * Math.floor(files / count) + task * 7) % files);
    const before = readFileSync(path);
    const middle = before.length >> 1;
    const line = Buffer.from(`// changed by task ${task}\n`);
    writeFileSync(path, Buffer.concat([before.subarray(0, middle), line, before.subarray(middle)]));
  }
}

function pathOf(folder: string, folders: number, at: number): string {
  const part = at % folders;
  return join(folder, `package-${part % 25}`, `part-${part}`, `file-${at}.ts`);
}

function content(at: number, size: number, random: () => number): Buffer {
  const body = Buffer.alloc(size);
  if (at % 10 >= 7) {
    for (let place = 0; place < size; place += 1) body[place] = random() * 256;
    return body;
  }
  for (let place = 0; place < size; ) {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    const name = Math.floor(random() * 2 ** 24).toString(36);
    place += body.write(random() < 0.15 ? `${word};\n  ` : `${word} ${name} `, place);
    if (place > size - 40) {
      body.fill(' ', place);
      break;
    }
  }
  return body;
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
