import type { Plugin } from 'esbuild';
import { bundleConsole } from '../../functions/console/bundle.ts';

/** Puts the bundled console into a package, in the place of what bundles it. */
export const consoleAssets: Plugin = {
  name: 'console-assets',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onLoad({ filter: /[\\/]functions[\\/]console[\\/]assets\.ts$/ }, async () => {
      const { assets } = await bundleConsole(root);
      return {
        loader: 'js',
        contents: `const assets = ${JSON.stringify(assets)};\nexport const openConsole = () => Promise.resolve(assets);\n`,
      };
    });
  },
};
