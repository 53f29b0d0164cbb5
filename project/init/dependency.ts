import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BadConfiguration } from '../../functions/settings.ts';
import type { Place } from '../place.ts';

/** How a project depends on Holdfast. */
export type Dependency = { readonly package: string } & (
  | { readonly kind: 'version'; readonly spec: string }
  /** Copied into the project, so that it is complete in its repository. */
  | { readonly kind: 'file'; readonly file: string }
);

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  config: z.object({ package: z.string() }).optional(),
});
/** npm's own note of what it installed, and from where. */
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ resolved: z.string().optional() })),
});

const HELP = 'say with --package which version, or which .tgz file, the project is to have';

/**
 * The package that this command comes from. Never a mere name, under which a registry may have what
 * others published. Throws BadConfiguration where that is not known.
 */
export function dependencyOn(place: Place, given: string | undefined): Dependency {
  const manifest = manifestSchema.parse(readJson(join(place.root, 'package.json')));
  const name = manifest.config?.package ?? manifest.name;
  if (given !== undefined) return asGiven(name, given);
  if (place.isCheckout) {
    const packed = name.replace('@', '').replace('/', '-');
    const file = join(place.root, 'dist', `${packed}-${manifest.version}.tgz`);
    if (existsSync(file)) return { kind: 'file', package: name, file };
    throw new BadConfiguration(
      `there is no ${file}: make it with \`npm run build:package\`, or ${HELP}`,
    );
  }
  const from = installedFrom(place.root, name);
  if (from?.startsWith('https:')) return { kind: 'version', package: name, spec: manifest.version };
  if (from?.startsWith('file:') && existsSync(from.slice('file:'.length)))
    return { kind: 'file', package: name, file: from.slice('file:'.length) };
  throw new BadConfiguration(`it is not known where ${name} was installed from; ${HELP}`);
}

function asGiven(name: string, given: string): Dependency {
  if (!given.endsWith('.tgz')) return { kind: 'version', package: name, spec: given };
  const file = given.startsWith('file:///') ? fileURLToPath(given) : resolve(given);
  if (existsSync(file)) return { kind: 'file', package: name, file };
  throw new BadConfiguration(`--package: there is no file ${given}`);
}

/** As npm wrote it down: an https URL, or file: with an absolute path. */
function installedFrom(root: string, name: string): string | undefined {
  const at = root.lastIndexOf(`${sep}node_modules${sep}`);
  if (at < 0) return undefined;
  const lock = join(root.slice(0, at), 'node_modules', '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const parsed = lockSchema.safeParse(readJson(lock));
  const resolved = parsed.data?.packages[`node_modules/${name}`]?.resolved;
  return resolved?.startsWith('file:')
    ? `file:${resolve(dirname(dirname(lock)), resolved.slice('file:'.length))}`
    : resolved;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
