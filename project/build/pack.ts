import { createHash } from 'node:crypto';
import { bundle, type Bundle, type BundleOptions } from './bundle.ts';
import { manifestFiles } from './manifest.ts';
import { zip } from './zip.ts';

export interface Package extends Pick<Bundle, 'maps' | 'metafile'> {
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly zip: Uint8Array;
  /** Of the zip, which depends on the content alone. */
  readonly sha256: string;
  readonly zipName: string;
}

/**
 * A function as Cloud Functions takes it: the bundle, its package.json and its lock, without source
 * maps.
 */
export async function pack(options: BundleOptions): Promise<Package> {
  const { root, name, toolchain = root } = options;
  const { files: code, maps, metafile } = await bundle(options);
  const files = new Map([...code, ...manifestFiles(toolchain, name, metafile)]);
  const bytes = zip(files);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, files, maps, metafile, zip: bytes, sha256, zipName: `${name}-${sha256}.zip` };
}
