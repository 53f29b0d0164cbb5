import { cli } from '../../functions/cli/cli.ts';
import type { Terminal } from '../../functions/cli/terminal.ts';
import type { World } from '../app/world.ts';
import type { Api } from '../operator/api.ts';

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly error: string;
}

export interface TerminalOptions extends Partial<Omit<Terminal, 'out' | 'error'>> {
  readonly as?: string;
}

/** Runs one command of the command line against an API, in this process. */
export async function holdfast(
  { api, world }: { readonly api: Pick<Api, 'url'>; readonly world?: World },
  args: readonly string[],
  { as = 'all', ...over }: TerminalOptions = {},
): Promise<Ran> {
  const said = { out: '', error: '' };
  const exit = await cli(args, {
    environment: { HOLDFAST_OPERATOR_URL: api.url, HOLDFAST_TOKEN: as },
    request: fetch,
    columns: () => undefined,
    ask: undefined,
    now: () => world?.clock.now() ?? 0,
    pause: () => Promise.resolve(),
    ended: () => false,
    ...over,
    out: (text) => {
      said.out += text;
    },
    error: (text) => {
      said.error += text;
    },
  });
  return { exit, ...said };
}
