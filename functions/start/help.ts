import { entries, paragraph } from '../cli/screen/entries.ts';
import { fallbackOf, FLAGS } from './arguments.ts';

/** What `holdfast start --help` shows. */
export const HELP = `Usage: holdfast start [options]

${paragraph("Runs the whole of Holdfast in one process: the A2A server, the worker, the projector, the coordinator and the sweeper; and the operators' API, for npx --no holdfast, on a port of its own.")}

Options (each also as the environment variable in brackets):
${entries([
  ...FLAGS.map(entry),
  {
    name: '--set name=value',
    words: "sets one of the system's numbers, repeatable: --set lease=5000 [HOLDFAST_LEASE]",
  },
  { name: '--help', words: 'shows this text' },
  { name: '--version', words: 'shows the release' },
])}

${paragraph('Exit codes: 0 it was stopped, 2 an option, the agents or the data folder are not right.')}

Examples:
  holdfast start
  holdfast start --port 9000 --data ./my-data --agents agents/greeter.ts
  holdfast start --access keys --host 0.0.0.0 --set lease=20000
`;

function entry({ meaning, name, value, variable, ...option }: (typeof FLAGS)[number]) {
  const fallback = fallbackOf(option);
  const what = value === undefined ? '' : ` <${value}>`;
  const otherwise = fallback === undefined ? '' : ` (default ${fallback})`;
  return { name: `--${name}${what}`, words: `${meaning}${otherwise} [${variable}]` };
}
