import { INSTALLED } from '../../project/build/bundle.ts';
import { lockFor, type PackageLock } from '../../project/build/package-lock.ts';
import { OPTIONAL_PACKAGES } from '../../shared/ports/optional-package.ts';
import { ENTRIES, NODE } from './contents.ts';

/** What is read of the project's package.json. */
export interface ProjectManifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** The name under which the package is published, scope and all. */
  readonly config: { readonly package: string };
}

const OPTIONAL = Object.assign({}, ...OPTIONAL_PACKAGES) as Readonly<Record<string, string>>;

/** What declarations of the AI SDK import without asking for it. */
const OF_TYPES = '@types/json-schema';

/** Agents hand zod's schemas over, so both must mean the same zod. */
const SHARED = 'zod';

/**
 * package.json of the package that `name` is published as. `imported` are the packages that its
 * code and its types import. Throws for one that no version is known of.
 */
export function packageManifest(
  project: ProjectManifest,
  name: string,
  imported: ReadonlySet<string>,
): object {
  const own = [...imported, OF_TYPES]
    .filter((each) => !(each in OPTIONAL) && each !== SHARED && !isInstalled(each))
    .toSorted();
  const optional = Object.entries(OPTIONAL).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    name,
    version: project.version,
    description: project.description,
    license: project.license,
    type: 'module',
    engines: { node: NODE },
    bin: { holdfast: 'bin/holdfast.js' },
    files: [
      'bin',
      'lib',
      'template',
      'terraform',
      'toolchain',
      'docs',
      'examples',
      'llms.txt',
      'CHANGELOG.md',
    ],
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRIES).map(([entry, path]) => [
          entry,
          { types: `./lib/${path}.d.ts`, default: `./lib/${path}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    // Those of a new project: no one who installs the package gets them with it.
    devDependencies: Object.fromEntries(
      ['@types/node', 'typescript'].map((each) => [each, versionOf(project, each)]),
    ),
    dependencies: Object.fromEntries(own.map((each) => [each, versionOf(project, each)])),
    peerDependencies: Object.fromEntries(
      [[SHARED, versionOf(project, SHARED)] as const, ...optional].map(([each, version]) => [
        each,
        `^${version}`,
      ]),
    ),
    peerDependenciesMeta: Object.fromEntries(optional.map(([each]) => [each, { optional: true }])),
  };
}

/** Functions import the framework, and are only bundled where the toolchain has it. */
const isInstalled = (name: string): boolean =>
  name !== 'express' && INSTALLED.some((each) => each === name);

/** package.json and package-lock.json of what deployments are built with. */
export function toolchainFiles(
  project: ProjectManifest,
  lock: PackageLock,
): ReadonlyMap<string, object> {
  const names = [...INSTALLED, ...Object.keys(OPTIONAL), 'esbuild'].toSorted();
  const manifest = {
    name: 'holdfast-toolchain',
    version: project.version,
    private: true,
    license: project.license,
    engines: { node: NODE },
    dependencies: Object.fromEntries(names.map((each) => [each, versionOf(project, each)])),
  };
  return new Map<string, object>([
    ['package.json', manifest],
    ['package-lock.json', lockFor(manifest, lock)],
  ]);
}

function versionOf({ dependencies, devDependencies }: ProjectManifest, name: string): string {
  const version = dependencies[name] ?? devDependencies[name];
  if (version !== undefined) return version;
  throw new Error(`the package would import ${name}, which package.json does not have`);
}
