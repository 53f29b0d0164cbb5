import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sendMessage } from './sample-runs.ts';
import type { Stage } from './stage.ts';
import { lookAt } from './use-console.ts';

const scheduleList = z.object({
  schedules: z.array(z.looseObject({ status: z.string(), nextAt: z.string().optional() })),
});

/** What stands around the installation: remote agents, webhooks and callers' keys. */
export function outsideSuite(stage: Stage): void {
  const answer = async (path: string): Promise<unknown> => (await stage.at.api.get(path)).body;

  describe('a remote that does not answer', () => {
    test('is shown as left alone, with why, and is called again after a reset', async () => {
      const page = await stage.open('/remotes');
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByText('down', { exact: true }) });
      await card.getByText('is called').waitFor();
      const { id } = await sendMessage(stage.at.server, 'to=down steps=1', { agent: 'relay' });
      await card.getByText('left alone', { exact: false }).first().waitFor();
      await card.getByText(/calls failed in a row/).waitFor();
      await lookAt(page, 'remotes');
      // It would go on with what waits, and fail again.
      await stage.at.api.post(`/runs/${id}/cancel`);
      await card.getByRole('button', { name: 'Reset…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
      await card.getByText('is called').waitFor();
      const remotes = {
        remotes: expect.arrayContaining([
          { remote: 'down', agents: ['relay'], circuits: [] },
        ]) as unknown,
      };
      expect(await answer('/remotes')).toMatchObject(remotes);
    });
  });

  describe('a schedule', () => {
    test('is shown with its next tick, run now, paused and resumed, and each is in the audit record', async () => {
      const page = await stage.open('/schedules');
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: 'digest', exact: true }) });
      await card.getByText('active').waitFor();
      await card.getByText('0 9 29 2 *').waitFor();
      const [before] = scheduleList.parse(await answer('/schedules')).schedules;
      await card
        .locator(`time[datetime="${before?.nextAt ?? ''}"]`)
        .first()
        .waitFor();
      const act = async (name: string): Promise<void> => {
        await card.getByRole('button', { name: `${name}…` }).click();
        await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await act('Run now');
      const made = card.getByText('You made the task').getByRole('link');
      await made.waitFor();
      await act('Pause');
      await card.getByText('paused for').waitFor();
      await lookAt(page, 'schedules');
      const [schedule] = scheduleList.parse(await answer('/schedules')).schedules;
      expect(schedule?.status).toBe('paused');
      await act('Resume');
      await card.getByText('active').waitFor();
      await made.focus();
      await page.keyboard.press('Enter');
      await page.getByText('completed').first().waitFor();
      expect(page.url()).toContain('/console/runs/');
      const audit = JSON.stringify(await answer('/audit'));
      for (const kind of ['pause-schedule', 'resume-schedule', 'run-schedule'])
        expect(audit).toContain(kind);
    });

    test('shows the task of its last tick, what made none, and why one was refused', async () => {
      const { id } = await sendMessage(stage.at.server, 'steps=1');
      const seen = await answer('/schedules');
      const [schedule] = scheduleList.parse(seen).schedules;
      const lastTick = '2027-01-04T08:00:00.000Z';
      const ticked = { ...schedule, lastTick, lastTask: id, lastStatus: 'failed', missedTicks: 2 };
      const gone = { ...schedule, agent: 'gone', status: 'retired', nextAt: undefined };
      const refused = { ...ticked, agent: 'full', refusal: 'CONTEXT_BUSY', lastStatus: undefined };
      const page = await stage.open('/agents');
      await page.route('**/schedules', (route) =>
        route.request().resourceType() === 'document'
          ? route.continue()
          : route.fulfill({ json: { schedules: [ticked, refused, gone] } }),
      );
      await page.getByRole('link', { name: 'Schedules' }).click();
      const card = (agent: string) =>
        page
          .getByRole('listitem')
          .filter({ has: page.getByRole('link', { name: agent, exact: true }) });
      await card('digest').getByRole('link', { name: id }).waitFor();
      await card('digest').getByText('failed').waitFor();
      await card('digest').getByText('2 ticks missed, 0 ticks skipped').waitFor();
      await card('full').getByText('CONTEXT_BUSY').waitFor();
      await card('full').getByText('removed').waitFor();
      await card('gone').getByText('retired').waitFor();
      expect(await card('gone').getByRole('button').count()).toBe(0);
      await lookAt(page, 'schedules-ticked');
    });
  });

  describe('webhooks', () => {
    test('that were given up are shown, those of callers and those of operators, and told again', async () => {
      stage.hook.well = false;
      const page = await stage.open('/webhooks');
      const sent = await fetch(`${stage.at.server.url}/message:send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({
          message: {
            messageId: randomUUID(),
            role: 'ROLE_USER',
            parts: [{ text: 'pay Ida 7 euros' }],
          },
          configuration: {
            returnImmediately: true,
            taskPushNotificationConfig: { id: 'hook', url: `${stage.hook.url}/caller` },
          },
        }),
      });
      const { task } = (await sent.json()) as { readonly task: { readonly id: string } };
      const parked = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: task.id }) });
      const board = page
        .getByRole('listitem')
        .filter({ has: page.getByText('board', { exact: true }) });
      await parked.getByText('http 500').waitFor();
      await board.getByText('parked for').waitFor();
      await lookAt(page, 'webhooks');
      stage.hook.well = true;
      await parked.getByRole('button', { name: 'Tell again…' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Tell again', exact: true })
        .click();
      await expect.poll(() => parked.count()).toBe(0);
      await board.getByRole('button', { name: 'Tell again…' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Tell again', exact: true })
        .click();
      await expect
        .poll(async () => JSON.stringify(await answer('/notices')))
        .not.toContain('parked');
      await expect.poll(() => board.getByText('parked for').count()).toBe(0);
    });
  });

  describe('an API key', () => {
    test('is made, shown once and never again, and revoked', async () => {
      const page = await stage.open('/keys');
      await page.getByRole('button', { name: 'Make a key…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Make an API key?' });
      // Without an owner the server refuses, in its words.
      await dialog.getByRole('button', { name: 'Make it' }).click();
      await dialog.getByText('INVALID_PARAMS').waitFor();
      const owner = `ada-${randomUUID().slice(0, 8)}`;
      await dialog.getByLabel('Owner').fill(owner);
      await dialog.getByLabel('Label, for you').fill('<b>laptop</b>');
      await dialog.getByLabel(/^Days until/).fill('30');
      await lookAt(page, 'make-key');
      await dialog.getByRole('button', { name: 'Make it' }).click();
      const shown = page.getByRole('region', { name: 'The new key' });
      await shown.waitFor();
      const key = (await shown.locator('code').textContent()) ?? '';
      expect(key.length).toBeGreaterThan(20);
      await lookAt(page, 'keys');
      await shown.getByRole('button', { name: 'I have it' }).click();
      const everywhere = () =>
        page.evaluate('document.documentElement.outerHTML + JSON.stringify(sessionStorage)');
      expect(await everywhere()).not.toContain(key);
      const row = page.getByRole('row').filter({ hasText: owner });
      await row.getByText('<b>laptop</b>').waitFor();
      await page.reload();
      await row.waitFor();
      expect(await everywhere()).not.toContain(key);
      await row.getByRole('button', { name: 'Revoke…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await row.getByText('revoked').waitFor();
      expect(await answer('/keys')).toMatchObject({
        keys: expect.arrayContaining([
          expect.objectContaining({ owner, revokedAt: expect.any(String) as string }),
        ]) as unknown,
      });
    });
  });
}
