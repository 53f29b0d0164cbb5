import { beforeAll, describe, expect, test } from 'vitest';
import { asOperator } from '../e2e/operating.ts';
import { approve, ASSISTANT, sendMessage, TABLE } from './sample-runs.ts';
import { browserPath, lookAt, type Opened, useConsole } from './use-console.ts';

describe.skipIf(browserPath === undefined)('the console', () => {
  const use = useConsole();
  let at: Opened;

  beforeAll(async () => {
    if (browserPath === undefined) return;
    at = await use.start({ args: [...ASSISTANT] });
    for (const text of ['pay Ada 120 euros', 'pay Ada', TABLE, 'hello']) {
      await sendMessage(at.server, text);
    }
    await sendMessage(at.server, 'city,people\nUlm,126949\n', { agent: 'table-profiler' });
  });

  test('shows an overview of what runs and what waits', async () => {
    const page = await use.open(at, '/');
    await page.getByRole('heading', { name: 'Waits for you' }).waitFor();
    await page.getByText('waiting for approval').first().waitFor();
    await lookAt(page, 'overview');
  });

  test('lists runs, and a filter is in the address', async () => {
    const page = await use.open(at, '/runs');
    await page.getByRole('table').waitFor();
    await lookAt(page, 'runs');
    await page.getByLabel('Status').selectOption('waiting_for_input');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(page.url()).toBe(`${at.url}/console/runs?status=waiting_for_input`);
  });

  test('shows one run over time, beside what its caller saw, and goes on as the run does', async () => {
    const { id } = await sendMessage(at.server, TABLE);
    const page = await use.open(at, `/runs/${id}`);
    await page.getByText('waiting for approval').first().waitFor();
    await approve(at.server, id);
    await page.getByRole('row', { name: /COMPLETED/ }).waitFor();
    await lookAt(page, 'run');
  });

  test('shows agents, pauses one and lets it go on', async () => {
    const page = await use.open(at, '/agents');
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
    const first = await sendMessage(at.server, 'hello');
    const operator = await asOperator(at.server);
    await expect
      .poll(async () => (await operator.get(`/runs/${first.id}`)).body)
      .toMatchObject({ status: 'completed' });
    const { contextId, id } = await sendMessage(at.server, 'hello', {
      contextId: first.contextId,
    });
    const page = await use.open(at, `/contexts/${contextId}`);
    await page.getByRole('link', { name: id }).waitFor();
    await page.getByRole('link', { name: first.id }).waitFor();
    await lookAt(page, 'context');
  });

  test('shows what models used, by day and by agent', async () => {
    const page = await use.open(at, '/costs');
    const rows = page.getByRole('region', { name: 'Costs' }).getByRole('row');
    await rows.filter({ hasText: /\d{4}-\d\d-\d\d/ }).waitFor();
    await page.getByRole('combobox', { name: 'by' }).selectOption('agent');
    await rows.filter({ hasText: 'assistant' }).waitFor();
    // The chart, as it is heard.
    await page
      .getByRole('table', { name: 'turns by day and agent' })
      .waitFor({ state: 'attached' });
    await lookAt(page, 'costs');
  });

  test('shows what operators did', async () => {
    const { id } = await sendMessage(at.server, 'pay Ada 1 euro');
    await (await asOperator(at.server)).post(`/runs/${id}/cancel`);
    const page = await use.open(at, '/audit');
    await page
      .getByRole('row', { name: /cancel/ })
      .first()
      .waitFor();
    await lookAt(page, 'audit');
  });
});
