import { beforeAll, describe, expect, test } from 'vitest';
import { approve, sendMessage, TABLE } from './sample-runs.ts';
import type { Stage } from './stage.ts';
import { browserPath, lookAt } from './use-console.ts';

/** Each page about runs, and what is done there. */
export function viewsSuite(stage: Stage): void {
  describe('a page', () => {
    beforeAll(async () => {
      if (browserPath === undefined) return;
      for (const text of ['pay Ada 120 euros', 'pay Ada', TABLE, 'hello']) {
        await sendMessage(stage.at.server, text);
      }
      await sendMessage(stage.at.server, 'city,people\nUlm,126949\n', { agent: 'table-profiler' });
    });

    test('shows an overview of what runs and what waits', async () => {
      const page = await stage.open('/');
      await page.getByRole('heading', { name: 'Waits for you' }).waitFor();
      await page.getByText('waiting for approval').first().waitFor();
      await lookAt(page, 'overview');
    });

    test('lists runs, and a filter is in the address', async () => {
      const page = await stage.open('/runs');
      await page.getByRole('table').waitFor();
      await lookAt(page, 'runs');
      await page.getByLabel('Status').selectOption('waiting_for_input');
      const rows = () => page.getByRole('row').allTextContents();
      await expect
        .poll(async () => (await rows()).slice(1).map((row) => row.includes('waiting for input')))
        .toContain(true);
      await expect
        .poll(async () => (await rows()).slice(1).every((row) => row.includes('waiting for input')))
        .toBe(true);
      expect(page.url()).toBe(`${stage.at.url}/console/runs?status=waiting_for_input`);
    });

    test('shows one run over time, beside what its caller saw, and goes on as the run does', async () => {
      const { id } = await sendMessage(stage.at.server, TABLE);
      const page = await stage.open(`/runs/${id}`);
      await page.getByText('waiting for approval').first().waitFor();
      await approve(stage.at.api, id);
      await page.getByRole('row', { name: /COMPLETED/ }).waitFor();
      await lookAt(page, 'run');
    });

    test('shows agents, pauses one and lets it go on', async () => {
      const page = await stage.open('/agents');
      const agent = page.getByRole('listitem').filter({ hasText: 'table-profiler' });
      await agent.getByRole('button', { name: 'Pause…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
      await agent.getByText('paused for').waitFor();
      await lookAt(page, 'agents');
      await agent.getByRole('button', { name: 'Resume…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
      await agent.getByText('takes work').waitFor();
    });

    test('shows a context with its runs', async () => {
      const first = await sendMessage(stage.at.server, 'hello');
      await expect
        .poll(async () => (await stage.at.api.get(`/runs/${first.id}`)).body)
        .toMatchObject({ status: 'completed' });
      const { contextId, id } = await sendMessage(stage.at.server, 'hello', {
        contextId: first.contextId,
      });
      const page = await stage.open(`/contexts/${contextId}`);
      await page.getByRole('link', { name: id }).waitFor();
      await page.getByRole('link', { name: first.id }).waitFor();
      await lookAt(page, 'context');
    });

    test('shows what models used, by day and by agent', async () => {
      const page = await stage.open('/costs');
      const rows = page.getByRole('region', { name: 'Costs' }).getByRole('row');
      await rows
        .filter({ hasText: /\d{4}-\d\d-\d\d/ })
        .first()
        .waitFor();
      await page.getByRole('combobox', { name: 'by' }).selectOption('agent');
      await rows.filter({ hasText: 'assistant' }).waitFor();
      // The chart, as it is heard.
      await page
        .getByRole('table', { name: 'turns by day and agent' })
        .waitFor({ state: 'attached' });
      await lookAt(page, 'costs');
    });

    test('shows what operators did', async () => {
      const { id } = await sendMessage(stage.at.server, 'pay Ada 1 euro');
      await stage.at.api.post(`/runs/${id}/cancel`);
      const page = await stage.open('/audit');
      await page
        .getByRole('row', { name: /cancel/ })
        .first()
        .waitFor();
      await lookAt(page, 'audit');
    });
  });
}
