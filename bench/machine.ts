import { readdirSync, readFileSync, statSync } from 'node:fs';
import { arch, availableParallelism, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';

/** What kind of machine it was; not which one. */
export function machineClass(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores, ${memory} GB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}

/** Of the last minute, as the system counts it: 1 is one busy core. */
export function machineLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}

export interface Work {
  /** Milliseconds of processor time. */
  readonly cpu: number;
  /** Bytes handed to the system by write calls, to files and sockets alike. */
  readonly written: number;
}

/** What a process has done so far. Linux only: elsewhere both are NaN, and shown as such. */
export function workOf(pid: number): Work {
  try {
    const written = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; user and system time are the 12th and 13th field
    // behind it, in 1/100 s.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, written: Number(written) };
  } catch {
    return { cpu: Number.NaN, written: Number.NaN };
  }
}

/** The size of everything in a folder: database, its log, objects. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => {
      const path = join(entry.parentPath, entry.name);
      return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
}
