import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { processFolder } from '../../testing/process-folder.ts';
import { Front } from '../e2e/remote-front.ts';
import type { Server } from '../e2e/server.ts';
import { freePort } from './foreign-site.ts';
import { browserPath, type ConsoleUse, type Opened, useConsole } from './use-console.ts';

/** What the tests of the console play on: one browser and one installation for all of a file. */
export interface Stage extends Pick<ConsoleUse, 'foreigner' | 'stranger'> {
  readonly store: 'embedded' | 'google';
  readonly use: ConsoleUse;
  readonly at: Opened;
  /** Before the remote agents `there` and the profiler. */
  readonly front: Front;
  readonly there: Pick<Server, 'url'>;
  /** Takes what webhooks are told once it is `well`. */
  readonly hook: { url: string; well: boolean };
  /** Where the failing agent notes what it paid, and what mends it. */
  readonly paid: string;
  readonly mended: string;
  /** A page of this installation, signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

const AGENTS = 'test/fixtures/agents/console.ts';
const CARD = '.well-known/agent-card.json';
/** Java, emulators and seven functions take their time to start. */
const SLOW = 240_000;

/** The installation that one file's tests share; they count on nothing that others do to it. */
export function useStage(store: 'embedded' | 'google'): Stage {
  const use = useConsole();
  const front = new Front();
  const folder = processFolder('holdfast-console');
  const [paid, mended] = [join(folder, `paid-${store}`), join(folder, `mended-${store}`)];
  const hook = { url: '', well: false };
  let hooks: HttpServer | undefined;
  let at: Opened | undefined;
  let there: Pick<Server, 'url'> = { url: '' };

  beforeAll(async () => {
    if (browserPath === undefined) return;
    hooks = createServer((_, response) => {
      response.writeHead(hook.well ? 204 : 500).end();
    });
    await new Promise<void>((resolve) => hooks?.listen(0, '127.0.0.1', resolve));
    hook.url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
    await front.open();
    const card = (agent: string): string => `${front.url}/agents/${agent}/${CARD}`;
    const down = `http://127.0.0.1:${await freePort()}/${CARD}`;
    const notices = [{ name: 'board', url: `${hook.url}/board`, events: ['approval'] }];
    const options = {
      settings: {
        pollMin: 100,
        pollMax: 400,
        remoteCall: 3_000,
        pushAttempts: 2,
        pushBackoff: 50,
        // Notices are looked for by the sweeper.
        sweepInterval: 1_000,
        circuitFaults: 3,
        // Long enough to be looked at.
        circuitRest: 600_000,
        circuitRestMax: 600_000,
      },
      args: ['--agents', AGENTS, '--remote-private', 'loopback', '--allow-private-webhooks'].concat(
        ['--notices', JSON.stringify(notices)],
      ),
      env: {
        HOLDFAST_E2E_PAID: paid,
        HOLDFAST_E2E_MENDED: mended,
        HOLDFAST_PROFILER_CARD: card('table-profiler'),
        HOLDFAST_E2E_REMOTES: JSON.stringify({
          there: { card: card('scripted') },
          down: { card: down },
        }),
      },
    };
    const remote = store === 'google' ? (await use.start(options)).server : undefined;
    at = await use.start({ ...options, store });
    there = remote ?? at.server;
    front.remote = there;
  }, SLOW);
  afterAll(async () => {
    hooks?.closeAllConnections();
    hooks?.close();
    await front.close();
  });

  const opened = (): Opened => {
    if (at === undefined) throw new Error('nothing was started');
    return at;
  };
  return {
    store,
    use,
    front,
    hook,
    paid,
    mended,
    foreigner: () => use.foreigner(),
    stranger: (options) => use.stranger(options),
    get at() {
      return opened();
    },
    get there() {
      return there;
    },
    open: (path, options) => use.open(opened(), path, options),
  };
}
