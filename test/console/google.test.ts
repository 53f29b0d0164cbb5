import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../e2e/server.ts';
import { ASSISTANT, sendMessage } from './sample-runs.ts';
import { browserPath, useConsole } from './use-console.ts';

const SLOW = 240_000;

/** What `npm start -- --store google` says of the operators' function, and a token for it. */
async function operatorOf({
  log,
}: Server): Promise<{ readonly url: string; readonly token: string }> {
  const told = (pattern: RegExp): string | undefined =>
    log.flatMap((line) => pattern.exec(line)?.[1] ?? [])[0];
  const from = () => told(/curl -s '([^']+)'/);
  await expect.poll(from).toBeTypeOf('string');
  const url = told(/^holdfast operator (\S+)$/) ?? '';
  return { url, token: await (await fetch(from() ?? '')).text() };
}

describe.skipIf(browserPath === undefined)('the console as it is deployed', () => {
  const use = useConsole();
  let server: Server;

  beforeAll(async () => {
    if (browserPath === undefined) return;
    server = await use.fleet.start({ store: 'google', args: [...ASSISTANT] });
  }, SLOW);

  test(
    'shows a run as it comes, from another process, and has it approved',
    async () => {
      const at = { server, ...(await operatorOf(server)) };
      const page = await use.open(at, '/inbox');
      await page.getByText('Nothing waits for your decision.').waitFor();
      const { id } = await sendMessage(server, 'pay Ada 120 euros');
      await page.getByText('120 euros to Ada').waitFor();
      await page.getByRole('button', { name: 'Approve…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByText('Nothing waits for your decision.').waitFor();
      await page.goto(`${at.url}/console/runs/${id}`);
      await page.getByRole('row', { name: /COMPLETED/ }).waitFor();
    },
    SLOW,
  );
});
