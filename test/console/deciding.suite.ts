import { describe, expect, test } from 'vitest';
import { sendMessage } from './sample-runs.ts';
import type { Stage } from './stage.ts';
import { lookAt } from './use-console.ts';

/** What an operator decides: approvals, input, and sends whose outcome is not known. */
export function decidingSuite(stage: Stage): void {
  const statusOf = async (id: string): Promise<unknown> =>
    ((await stage.at.api.get(`/runs/${id}`)).body as { status: string }).status;

  describe('an inbox', () => {
    const card = (page: Awaited<ReturnType<typeof stage.open>>, id: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name: id }) });

    test('sees what is asked as it comes, approves one thing and denies another', async () => {
      const page = await stage.open('/inbox');
      const yes = await sendMessage(stage.at.server, 'pay Ada 120 euros');
      await card(page, yes.id).getByText('120 euros to Ada').waitFor();
      const no = await sendMessage(stage.at.server, 'pay Mallory 99 euros');
      await sendMessage(stage.at.server, 'pay Eve');
      await page.getByText('How many euros does Eve get?').waitFor();
      await lookAt(page, 'inbox');
      await card(page, yes.id).getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Approve this?' });
      await dialog.getByText('120 euros to Ada').waitFor();
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await expect.poll(() => statusOf(yes.id)).toBe('completed');
      await expect.poll(() => card(page, yes.id).count()).toBe(0);
      await card(page, no.id).getByRole('button', { name: 'Deny…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deny', exact: true }).click();
      await expect.poll(() => card(page, no.id).count()).toBe(0);
      const { body } = await stage.at.api.get(`/runs/${no.id}`);
      expect(body).toMatchObject({ decisions: [{ kind: 'deny', by: 'operator' }] });
    });

    test('fills in a form made of the schema of what is asked', async () => {
      const { id } = await sendMessage(stage.at.server, 'pay Bob');
      const page = await stage.open('/inbox');
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
      expect(await statusOf(id)).toBe('waiting_for_approval');
    });

    test('loses what was decided elsewhere, and is told why a decision came too late', async () => {
      const { id } = await sendMessage(stage.at.server, 'pay Cleo 5 euros');
      const page = await stage.open('/inbox');
      await card(page, id).getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      // The page does not hear of it.
      await page.route('**/inbox', (route) => route.abort());
      await stage.at.api.post(`/runs/${id}/cancel`);
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await dialog.getByText(/PAUSE_OVER|RUN_ENDED|TASK_NOT_FOUND/).waitFor();
      await page.unroute('**/inbox');
      await page.reload();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await expect.poll(() => card(page, id).count()).toBe(0);
      expect(await statusOf(id)).toBe('cancelled');
    });
  });

  describe('a send whose outcome is not known', () => {
    test('sees what is known for finding its task, and links the one that the remote made', async () => {
      const none = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32_004, message: 'No.' },
      });
      const unlisted = { kind: 'say', when: 'before', status: 200, body: none } as const;
      stage.front.next('ListTasks', ...Array.from({ length: 400 }, () => unlisted));
      stage.front.next('SendMessage', { kind: 'cut', when: 'after' });
      const { id } = await sendMessage(stage.at.server, 'to=there steps=1', { agent: 'relay' });
      const page = await stage.open('/sends');
      await page.getByText('outcome unknown').waitFor();
      const context = (await page.locator('.whole-id code').first().textContent()) ?? '';
      await lookAt(page, 'sends');
      const listed = await fetch(`${stage.there.url}/agents/scripted/tasks?contextId=${context}`, {
        headers: { 'a2a-version': '1.0' },
      });
      const { tasks } = (await listed.json()) as { tasks: readonly { id: string }[] };
      await page.getByRole('button', { name: 'It arrived…' }).click();
      await page.getByLabel('Id of the task at the remote').fill(tasks[0]?.id ?? '');
      await page.getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('The outcome of every send is known.').waitFor();
      await expect.poll(() => statusOf(id)).toBe('completed');
    });

    test('gives one up', async () => {
      stage.front.next('SendMessage', { kind: 'cut', when: 'before' });
      const { id } = await sendMessage(stage.at.server, 'to=there steps=1', { agent: 'relay' });
      const page = await stage.open('/sends');
      await page.getByRole('button', { name: 'Give it up…' }).click();
      await page.getByRole('button', { name: 'Give up', exact: true }).click();
      await expect
        .poll(async () => (await stage.at.api.get(`/runs/${id}`)).body)
        .toMatchObject({ sends: [{ state: 'abandoned' }] });
    });
  });
}
