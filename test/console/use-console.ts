import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { eventually } from '../e2e/eventually.ts';
import { asOperator, operatorAt } from '../e2e/operating.ts';
import { type Fleet, type Server, type ServerOptions, useFleet } from '../e2e/server.ts';
import { ARGS, findBrowser } from './find-browser.ts';

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 380, height: 800 };

export const browserPath = findBrowser();

export interface Opened {
  readonly server: Server;
  /** Of the operators' API. */
  readonly url: string;
  readonly token: string;
  readonly api: ReturnType<typeof operatorAt>;
}

export interface ConsoleUse {
  readonly fleet: Fleet;
  start(options?: ServerOptions): Promise<Opened>;
  /** A page of a new browser profile, signed in; closed with the test. */
  open(at: Opened, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** A page of another site, whose own complaints are what a test is about. */
  foreigner: () => Promise<Page>;
  /** A page that is not signed in. */
  stranger: (options?: BrowserContextOptions) => Promise<Page>;
}

/** A browser for the tests of one file. What a page writes to its console is a failure. */
export function useConsole(): ConsoleUse {
  const fleet = useFleet();
  let browser: Browser | undefined;
  const pages: Page[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    if (browserPath === undefined) return;
    browser = await chromium.launch({ executablePath: browserPath, args: ARGS });
  });
  afterEach(async () => {
    await Promise.all(
      pages.splice(0).map(async (page) => {
        // An answer that a test has changed may be on its way still, and no one waits for it.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.context().close();
      }),
    );
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => browser?.close());

  async function foreigner(options: BrowserContextOptions = {}): Promise<Page> {
    if (browser === undefined) throw new Error('no browser');
    const context = await browser.newContext({ viewport: WIDE, ...options });
    const page = await context.newPage();
    pages.push(page);
    return page;
  }

  async function stranger(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await foreigner(options);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    return page;
  }

  return {
    fleet,
    foreigner,
    stranger,
    async start(options = {}) {
      const server = await fleet.start({ store: 'embedded', ...options });
      const api = await (options.store === 'google' ? deployedOperator : asOperator)(server);
      return { server, url: api.url, token: api.token, api };
    },
    async open({ token, url }, path, options) {
      const page = await stranger(options);
      await page.goto(`${url}/console${path}#token=${token}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}

/** What `npm start -- --store google` says of the operators' function, and a token for it. */
async function deployedOperator({ log }: Server): Promise<ReturnType<typeof operatorAt>> {
  const told = (pattern: RegExp): string | undefined =>
    log.flatMap((line) => pattern.exec(line)?.[1] ?? [])[0];
  const from = () => told(/curl -s '([^']+)'/);
  const identity = await eventually(from, (url) => url !== undefined);
  const token = await (await fetch(identity ?? '')).text();
  return operatorAt(told(/^holdfast operator (\S+)$/) ?? '', token);
}

/**
 * What axe finds wrong with the page as it is. Its script comes by the debugger's way: the page's
 * own policy lets no other in. `only`: one rule of it.
 */
export async function violationsOf(page: Page, only?: string): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (rule) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const found = await (rule === undefined ? run() : run({ runOnly: [rule] }));
    return found.violations.map(
      ({ help, id, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`,
    );
  }, only);
}

/**
 * Keeps a picture of the page, to be looked at: HOLDFAST_SCREENSHOTS names the folder; without it
 * there is none.
 */
export async function keepShot(page: Page, name: string): Promise<void> {
  const folder = process.env['HOLDFAST_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The page wide, narrow and dark: nothing sticks out, axe is content, and a picture is kept. */
export async function lookAt(page: Page, name: string): Promise<void> {
  for (const [kind, size, scheme] of [
    ['light', WIDE, 'light'],
    ['dark', WIDE, 'dark'],
    ['narrow', NARROW, 'light'],
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await keepShot(page, `${name}-${kind}`);
    // In dark nothing but the colours is another than in light.
    const only = kind === 'dark' ? 'color-contrast' : undefined;
    expect(await violationsOf(page, only), `${name}, ${kind}`).toEqual([]);
    const over = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(over, `${name}, ${kind}: wider than its window`).toBe(0);
  }
  await page.setViewportSize(WIDE);
}
