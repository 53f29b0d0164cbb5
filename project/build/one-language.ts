import type { Plugin } from 'esbuild';

/**
 * zod exports its messages in fifty languages as one object, which no bundler can take apart: a
 * third of what a function loaded to start. Ours are the English ones, which zod takes by itself.
 */
export const oneLanguage: Plugin = {
  name: 'one-language',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};
