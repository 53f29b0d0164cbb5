/**
 * Loaded into a measured function by `--import`: answers each message with the number of files that
 * were loaded as modules.
 */
import { registerHooks } from 'node:module';

let files = 0;
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) files += 1;
    return nextLoad(url, context);
  },
});
process.on('message', () => process.send?.(files));
process.channel?.unref();
