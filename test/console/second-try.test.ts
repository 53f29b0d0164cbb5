import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { asOperator } from '../e2e/operating.ts';
import { BRISK } from '../e2e/server.ts';
import { processFolder } from '../../testing/process-folder.ts';
import { sendMessage } from './sample-runs.ts';
import { browserPath, lookAt, type Opened, useConsole } from './use-console.ts';

describe.skipIf(browserPath === undefined)('a failed run in the console', () => {
  const use = useConsole();
  const folder = processFolder('holdfast-console-tries');
  const [paid, mended] = [join(folder, 'paid'), join(folder, 'mended')];
  let at: Opened;
  beforeAll(async () => {
    if (browserPath === undefined) return;
    at = await use.start({
      settings: BRISK,
      args: ['--agents', 'test/fixtures/agents/e2e-failing.ts'],
      env: { HOLDFAST_E2E_PAID: paid, HOLDFAST_E2E_MENDED: mended },
    });
  });

  const runOf = async (id: string) =>
    (await (await asOperator(at.server)).get(`/runs/${id}`)).body as {
      status: string;
      triedAs?: string;
    };
  const payments = async () => (await readFile(paid, 'utf8')).trim().split('\n').length;

  test('is tried again from its last good step, and forked only when what it paid is named', async () => {
    const { id } = await sendMessage(at.server, 'pay Ada');
    await expect.poll(async () => (await runOf(id)).status).toBe('failed');
    const page = await use.open(at, `/runs/${id}`);
    await writeFile(mended, '');
    await page.getByRole('button', { name: 'Try again…' }).click();
    const retry = page.getByRole('dialog', { name: 'Try this run once more?' });
    await retry.getByText('keeps all 3 steps').waitFor();
    await lookAt(page, 'retry');
    await retry.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByText('Tried as').waitFor();
    const made = (await runOf(id)).triedAs ?? '';
    await expect.poll(async () => (await runOf(made)).status).toBe('completed');
    expect(await payments()).toBe(1);

    // What was paid is not paid again unless an operator says so.
    await page.getByRole('button', { name: 'Fork…' }).click();
    const fork = page.getByRole('dialog', { name: 'Do this run anew from a step on?' });
    await fork.getByLabel('The first step that is done anew').selectOption('1');
    await fork.getByText('must not run twice').waitFor();
    await fork.getByLabel('What the message says instead').fill('pay Ada once more');
    expect(await fork.getByRole('button', { name: 'Fork', exact: true }).isDisabled()).toBe(true);
    await fork.getByLabel('it ran').check();
    await lookAt(page, 'fork');
    await fork.getByRole('button', { name: 'Fork', exact: true }).click();
    await expect.poll(async () => (await runOf(id)).triedAs).not.toBe(made);
    const forked = (await runOf(id)).triedAs ?? '';
    await page.getByRole('link', { name: forked }).click();
    await page.getByText('Made of').waitFor();
    await expect.poll(async () => (await runOf(forked)).status).toBe('completed');
    expect(await payments()).toBe(2);
    expect((await runOf(id)).status).toBe('failed');
  });

  test('offers neither to an operator without the right to', async () => {
    const { id } = await sendMessage(at.server, 'pay Ada');
    const page = await use.stranger();
    await page.route(`${at.url}/runs/${id}`, async (route) => {
      const response = await route.fetch();
      const run = (await response.json()) as { may: readonly string[] };
      await route.fulfill({ json: { ...run, may: run.may.filter((may) => may !== 'retry') } });
    });
    await page.goto(`${at.url}/console/runs/${id}#token=${at.token}`);
    await page
      .getByRole('region', { name: 'Log of the run' })
      .getByText('step 1: answer')
      .waitFor();
    expect(await page.getByRole('button', { name: /Try again|Fork/ }).count()).toBe(0);
  });
});
