import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOperator } from '../e2e/operating.ts';
import { Front } from '../e2e/remote-front.ts';
import type { Server } from '../e2e/server.ts';
import { ASSISTANT, sendMessage } from './sample-runs.ts';
import { browserPath, lookAt, type Opened, useConsole } from './use-console.ts';

const statusOf = async (server: Server, id: string): Promise<unknown> =>
  ((await (await asOperator(server)).get(`/runs/${id}`)).body as { status: string }).status;

describe.skipIf(browserPath === undefined)('an operator in the console', () => {
  const use = useConsole();

  describe('with an inbox', () => {
    let at: Opened;
    beforeAll(async () => {
      if (browserPath !== undefined) at = await use.start({ args: [...ASSISTANT] });
    });
    const card = (page: Awaited<ReturnType<typeof use.open>>, id: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name: id }) });

    test('sees what is asked as it comes, approves one thing and denies another', async () => {
      const page = await use.open(at, '/inbox');
      await page.getByText('Nothing waits for your decision.').waitFor();
      const yes = await sendMessage(at.server, 'pay Ada 120 euros');
      await card(page, yes.id).getByText('120 euros to Ada').waitFor();
      const no = await sendMessage(at.server, 'pay Mallory 99 euros');
      await sendMessage(at.server, 'pay Eve');
      await page.getByText('How many euros does Eve get?').waitFor();
      await lookAt(page, 'inbox');
      await card(page, yes.id).getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Approve this?' });
      await dialog.getByText('120 euros to Ada').waitFor();
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await expect.poll(() => statusOf(at.server, yes.id)).toBe('completed');
      await expect.poll(() => card(page, yes.id).count()).toBe(0);
      await card(page, no.id).getByRole('button', { name: 'Deny…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deny', exact: true }).click();
      await expect.poll(() => card(page, no.id).count()).toBe(0);
      const { body } = await (await asOperator(at.server)).get(`/runs/${no.id}`);
      expect(body).toMatchObject({ decisions: [{ kind: 'deny', by: 'operator' }] });
    });

    test('fills in a form made of the schema of what is asked', async () => {
      const { id } = await sendMessage(at.server, 'pay Bob');
      const page = await use.open(at, '/inbox');
      const form = card(page, id);
      await form.getByLabel('euros').fill('a lot');
      await form.getByRole('button', { name: 'Give it' }).click();
      await form.getByText('euros must be a number.').waitFor();
      // The whole schema is checked by the server, in its words.
      await form.getByLabel('euros').fill('-3');
      await form.getByRole('button', { name: 'Give it' }).click();
      await form.getByText('INVALID_PARAMS').waitFor();
      await form.getByLabel('euros').fill('12');
      await form.getByRole('button', { name: 'Give it' }).click();
      await card(page, id).getByText('12 euros to Bob').waitFor();
      expect(await statusOf(at.server, id)).toBe('waiting_for_approval');
    });

    test('loses what was decided elsewhere, and is told why a decision came too late', async () => {
      const { id } = await sendMessage(at.server, 'pay Cleo 5 euros');
      const page = await use.open(at, '/inbox');
      await card(page, id).getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      // The page does not hear of it.
      await page.route('**/inbox', (route) => route.abort());
      await (await asOperator(at.server)).post(`/runs/${id}/cancel`);
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await dialog.getByText(/PAUSE_OVER|RUN_ENDED|TASK_NOT_FOUND/).waitFor();
      await page.unroute('**/inbox');
      await page.reload();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await expect.poll(() => card(page, id).count()).toBe(0);
      expect(await statusOf(at.server, id)).toBe('cancelled');
    });
  });

  describe('with a send whose outcome is not known', () => {
    const front = new Front();
    let there: Server;
    let at: Opened;
    beforeAll(async () => {
      if (browserPath === undefined) return;
      there = await use.fleet.start({ store: 'embedded' });
      front.remote = there;
      await front.open();
      const card = `${front.url}/.well-known/agent-card.json`;
      at = await use.start({
        settings: { pollMin: 100, pollMax: 400, remoteCall: 3_000 },
        args: [
          '--agents',
          'test/fixtures/agents/e2e-delegation.ts',
          '--remote-private',
          'loopback',
        ],
        env: { HOLDFAST_E2E_REMOTES: JSON.stringify({ there: { card } }) },
      });
    });
    afterAll(() => front.close());

    test('sees what is known for finding its task, and links the one that the remote made', async () => {
      const none = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32_004, message: 'No.' },
      });
      const unlisted = { kind: 'say', when: 'before', status: 200, body: none } as const;
      front.next('ListTasks', ...Array.from({ length: 400 }, () => unlisted));
      front.next('SendMessage', { kind: 'cut', when: 'after' });
      const { id } = await sendMessage(at.server, 'to=there steps=1');
      const page = await use.open(at, '/sends');
      await page.getByText('outcome unknown').waitFor();
      const context = (await page.locator('.whole-id code').first().textContent()) ?? '';
      await lookAt(page, 'sends');
      const listed = await fetch(`${there.url}/tasks?contextId=${context}`, {
        headers: { 'a2a-version': '1.0' },
      });
      const { tasks } = (await listed.json()) as { tasks: readonly { id: string }[] };
      await page.getByRole('button', { name: 'It arrived…' }).click();
      await page.getByLabel('Id of the task at the remote').fill(tasks[0]?.id ?? '');
      await page.getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('The outcome of every send is known.').waitFor();
      await expect.poll(() => statusOf(at.server, id)).toBe('completed');
    });

    test('gives one up', async () => {
      front.next('SendMessage', { kind: 'cut', when: 'before' });
      const { id } = await sendMessage(at.server, 'to=there steps=1');
      const page = await use.open(at, '/sends');
      await page.getByRole('button', { name: 'Give it up…' }).click();
      await page.getByRole('button', { name: 'Give up', exact: true }).click();
      await expect
        .poll(async () => (await (await asOperator(at.server)).get(`/runs/${id}`)).body)
        .toMatchObject({ sends: [{ state: 'abandoned' }] });
    });
  });
});
