import { join } from 'node:path';
import type { ConsoleAssets } from '../../shared/operator/console.ts';
import { bundleConsole } from './bundle.ts';

/**
 * The console of this checkout, bundled when it is first asked for. A package has it bundled
 * already: there project/build/console-assets.ts takes the place of this file.
 */
export async function openConsole(): Promise<ConsoleAssets> {
  const { assets } = await bundleConsole(join(import.meta.dirname, '../..'));
  return assets;
}
