import { usage } from './cli-error.ts';
import type { Command } from './command.ts';
import { SCRIPTS, SHELLS } from './completion-scripts.ts';

/** Prints what makes a shell complete commands, options, ids and agents. */
export const COMPLETION: Command = {
  name: 'completion',
  takes: '<shell>',
  summary: 'prints what makes a shell complete commands, options, ids and agents: bash, zsh, fish',
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh > "${fpath[1]}/_holdfast"',
    'completion fish > ~/.config/fish/completions/holdfast.fish',
  ],
  run({ args: [given = ''] }) {
    const shell = SHELLS.find((each) => each === given);
    if (shell === undefined)
      throw usage(`the shell is ${JSON.stringify(given)}; it must be one of ${SHELLS.join(', ')}`);
    const script = SCRIPTS[shell];
    return Promise.resolve({ data: { script }, text: script.trimEnd() });
  },
};
