import type { Command } from './command.ts';

/** The address of the console, with what signs this operator in. */
export const CONSOLE: Command = {
  name: 'console',
  summary: 'prints a link to the console in your browser, which signs you in',
  examples: ['console', 'console --data ./holdfast-data'],
  run: ({ client }) => {
    const url = client.consoleUrl();
    return Promise.resolve({ data: { url }, text: url });
  },
};
