import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sendMessage } from './sample-runs.ts';
import type { Stage } from './stage.ts';
import { lookAt } from './use-console.ts';

/** Having a failed run's work done again. */
export function secondTrySuite(stage: Stage): void {
  describe('a failed run', () => {
    const runOf = async (id: string) =>
      (await stage.at.api.get(`/runs/${id}`)).body as {
        status: string;
        triedAs?: string;
      };
    const payments = async () => (await readFile(stage.paid, 'utf8')).trim().split('\n').length;

    test('is tried again from its last good step, and forked only when what it paid is named', async () => {
      const { id } = await sendMessage(stage.at.server, 'pay Ada', { agent: 'e2e-failing' });
      await expect.poll(async () => (await runOf(id)).status).toBe('failed');
      const page = await stage.open(`/runs/${id}`);
      await writeFile(stage.mended, '');
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
      const { id } = await sendMessage(stage.at.server, 'pay Ada', { agent: 'e2e-failing' });
      const page = await stage.stranger();
      await page.route(`${stage.at.url}/runs/${id}`, async (route) => {
        const response = await route.fetch();
        const run = (await response.json()) as { may: readonly string[] };
        await route.fulfill({ json: { ...run, may: run.may.filter((may) => may !== 'retry') } });
      });
      await page.goto(`${stage.at.url}/console/runs/${id}#token=${stage.at.token}`);
      await page
        .getByRole('region', { name: 'Log of the run' })
        .getByText('step 1: answer')
        .waitFor();
      expect(await page.getByRole('button', { name: /Try again|Fork/ }).count()).toBe(0);
    });
  });
}
