import { posix } from 'node:path';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly bin?: unknown;
  readonly engines?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

export interface PackageLock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * The part of the project's lock that a package's dependencies need, at the same versions and
 * places.
 */
export function lockFor(manifest: Manifest, project: PackageLock): object {
  const { name, version, license, engines, dependencies } = manifest;
  const needed = new Map<string, LockedPackage>();
  const queue = Object.keys(dependencies).map((each) => ({ name: each, from: '' }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const path = pathOf(next.name, next.from, project);
    if (needed.has(path)) continue;
    const locked = project.packages[path] ?? {};
    needed.set(path, locked);
    for (const each of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      queue.push({ name: each, from: path });
  }
  const packages = [...needed]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, locked]) => {
      return [path, withoutMarks(locked)] as const;
    });
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, dependencies, engines },
      ...Object.fromEntries(packages),
    },
  };
}

/** As Node looks for it: beside the package that asks, then further up. */
function pathOf(name: string, from: string, { packages }: PackageLock): string {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder === '.' ? '' : folder, 'node_modules', name);
    if (packages[path] !== undefined) return path;
    if (folder === '' || folder === '.') throw new Error(`package-lock.json has no ${name}`);
  }
}

/** "dev" and "peer" say how the project came to a package, which doesn't hold here. */
function withoutMarks(locked: LockedPackage): LockedPackage {
  const { version, integrity, license, dependencies, bin, engines } = locked;
  const { cpu, libc, optional, optionalDependencies, os } = locked;
  return {
    ...(version !== undefined && { version }),
    ...(integrity !== undefined && { integrity }),
    ...(license !== undefined && { license }),
    ...(dependencies !== undefined && { dependencies }),
    ...(bin !== undefined && { bin }),
    ...(engines !== undefined && { engines }),
    // Builds for one machine each: npm takes the one that fits, and must not miss the others.
    ...(optionalDependencies !== undefined && { optionalDependencies }),
    ...(optional === true && cpu !== undefined && { optional, cpu }),
    ...(os !== undefined && { os }),
    ...(libc !== undefined && { libc }),
  };
}
