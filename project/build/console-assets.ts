import type { Plugin } from 'esbuild';

/** Puts the bundled console into a package, in the place of what bundles it. */
export const consoleAssets: Plugin = {
  name: 'console-assets',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    // In the npm package it is that module already.
    build.onLoad({ filter: /[\\/]functions[\\/]console[\\/]assets\.ts$/ }, async () => ({
      loader: 'js',
      contents: await consoleModule(root),
    }));
  },
};

/** A module that holds the console of the checkout `root`, and exports `openConsole`. */
export async function consoleModule(root: string): Promise<string> {
  const { bundleConsole } = await import('../../functions/console/bundle.ts');
  const { assets } = await bundleConsole(root);
  return `const assets = ${JSON.stringify(assets)};\nexport const openConsole = () => Promise.resolve(assets);\n`;
}
