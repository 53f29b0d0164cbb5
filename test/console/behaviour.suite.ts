import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { foreignSite, freePort } from './foreign-site.ts';
import { ASSISTANT, sendMessage } from './sample-runs.ts';
import type { Stage } from './stage.ts';
import { keepShot, violationsOf } from './use-console.ts';

/** Markup, an escape sequence of a terminal, an override of direction, what is invisible. */
const HOSTILE =
  'profile:\n<img src=x onerror="document.title=1"><script>document.title=2</script>\u001b[31m\u202eadA\u200b';

/** How the page behaves: live, by keyboard, with a token, and before other sites. */
export function behaviourSuite(stage: Stage): void {
  describe('the page', () => {
    const focused = (page: Page): Promise<string> =>
      page.evaluate('document.activeElement.textContent || document.activeElement.id');
    const statusOf = async (id: string): Promise<unknown> =>
      ((await stage.at.api.get(`/runs/${id}`)).body as { status: string }).status;

    test('shows a run as it comes, and as it goes on, without being loaded again', async () => {
      const page = await stage.open('/runs');
      await page.getByRole('table').or(page.getByText('No run yet.')).waitFor();
      await page.getByText('live', { exact: true }).waitFor();
      await page.evaluate('globalThis.same = true');
      const { id } = await sendMessage(stage.at.server, 'pay Ada 120 euros');
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
      await row.getByText('waiting for approval').waitFor();
      await stage.at.api.post(`/runs/${id}/cancel`);
      await row.getByText('cancelled').waitFor();
      expect(await page.evaluate('globalThis.same')).toBe(true);
    });

    test('asks by itself where no stream comes through, and says so until one does', async () => {
      const page = await stage.stranger();
      await page.clock.install();
      await page.route('**/live', (route) => route.abort());
      await page.goto(`${stage.at.url}/console/runs#token=${stage.at.token}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const state = page.getByRole('status').filter({ hasText: 'live' });
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000);
          return state.textContent();
        })
        .toContain('not live: asks every 10 s');
      const { id } = await sendMessage(stage.at.server, 'pay Bob 3 euros');
      await expect
        .poll(async () => {
          await page.clock.runFor(2_000);
          return page.getByRole('link', { name: id }).count();
        })
        .toBe(1);
      await page.unroute('**/live');
      await expect
        .poll(async () => {
          await page.clock.runFor(2_000);
          return (await state.textContent())?.trim();
        })
        .toBe('live');
    });

    // A rehearsal of Google's services goes with its process.
    test.skipIf(stage.store === 'google')(
      'goes on live when the server is back, with what happened meanwhile',
      async () => {
        const port = await freePort();
        const own = await stage.use.start({ args: [...ASSISTANT, '--operator-port', port] });
        const page = await stage.use.open(own, '/runs');
        await page.getByText('live', { exact: true }).waitFor();
        await own.server.stop();
        await page.getByText(/connecting|not live/).waitFor();
        await own.server.start();
        const { id } = await sendMessage(own.server, 'pay Ada 120 euros');
        await page.getByRole('link', { name: id }).waitFor();
        await page.getByText('live', { exact: true }).waitFor();
      },
    );

    test('lets a person in by a token alone, keeps it out of the address, and forgets it', async () => {
      const page = await stage.stranger();
      await page.goto(`${stage.at.url}/console/runs`);
      const field = page.getByLabel('Operator’s token');
      await field.waitFor();
      await keepShot(page, 'sign-in');
      expect(await violationsOf(page)).toEqual([]);
      await field.fill('not-a-token-of-this-machine');
      await page.keyboard.press('Enter');
      await page.getByText('The server does not know that token.').waitFor();
      await page.getByLabel('Operator’s token').fill(stage.at.token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Runs' }).waitFor();
      await page.goto(`${stage.at.url}/console/#token=${stage.at.token}`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(page.url()).toBe(`${stage.at.url}/console/`);
      expect(await page.context().cookies()).toEqual([]);
      expect(await page.evaluate('JSON.stringify(localStorage)')).toBe('{}');
      // Another tab of the same page is let in by this one.
      const tab = await page.context().newPage();
      await tab.goto(`${stage.at.url}/console/runs`);
      await tab.getByRole('heading', { name: 'Runs' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Operator’s token').waitFor();
    });

    test('shows markup, escapes and marks of others as text', async () => {
      const { id } = await sendMessage(stage.at.server, HOSTILE);
      const page = await stage.open(`/runs/${id}`);
      await page.getByText('waiting for approval').first().waitFor();
      for (const summary of await page.locator('summary').all()) await summary.click();
      const log = page.getByRole('region', { name: 'Log of the run' });
      await expect.poll(() => log.textContent()).toContain('<script>document.title=2</script>');
      expect(await log.locator('.mark').allTextContents()).toEqual(
        expect.arrayContaining(['RLO', 'ZWSP']),
      );
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await page.title()).toBe(`Run ${id.slice(0, 13)} · Holdfast`);
      await keepShot(page, 'hostile');
    });

    test('works by keyboard: to the content, to a page, into a question and out of it', async () => {
      const { id } = await sendMessage(stage.at.server, 'pay Eve 9 euros');
      const page = await stage.open('/');
      await page.getByText('waiting for approval').first().waitFor();
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate('document.querySelector("main").contains(document.activeElement)'),
      ).toBe(true);
      await page.getByRole('link', { name: 'Runs', exact: true }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Runs');
      await page.getByRole('link', { name: id }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(`Run ${id.slice(0, 13)}`);
      const cancel = page.getByRole('button', { name: 'Cancel…' });
      await cancel.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Cancel this run?' }).waitFor();
      await keepShot(page, 'confirm');
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await focused(page)).toBe('Cancel…');
      expect(await statusOf(id)).toBe('waiting_for_approval');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Cancel the run' }).press('Enter');
      await page.getByRole('row', { name: /CANCELED/ }).waitFor();
      expect(await statusOf(id)).toBe('cancelled');
    });

    test('has ten thousand runs in a table, and draws those in sight', async () => {
      const page = await stage.stranger();
      const runs = Array.from({ length: 10_000 }, (_, index) => ({
        id: `run-${String(index).padStart(5, '0')}`,
        context: 'c',
        agent: 'assistant',
        status: index % 2 ? 'completed' : 'failed',
        state: 'COMPLETED',
        open: false,
        createdAt: '2026-11-30T00:00:00.000Z',
        statusAt: '2026-11-30T00:00:00.000Z',
        may: ['view'],
      }));
      await page.route(/\/runs\?/, (route) => route.fulfill({ json: { runs } }));
      // Nor are runs of other tests to be among them.
      await page.route('**/live', (route) => route.abort());
      await page.goto(`${stage.at.url}/console/runs#token=${stage.at.token}`);
      await page.getByText('run-00000').waitFor();
      expect(await page.getByRole('row').count()).toBeLessThan(100);
      expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
      await page.getByRole('region', { name: /Runs/ }).focus();
      await page.keyboard.press('End');
      await page.getByText('run-09999').waitFor();
      expect(await page.getByRole('row').count()).toBeLessThan(100);
      await keepShot(page, 'ten-thousand');
    });

    test('a page of another site can neither read, act, frame nor load anything of it', async () => {
      const { id } = await sendMessage(stage.at.server, 'pay Mallory 1000 euros');
      await expect.poll(() => statusOf(id)).toBe('waiting_for_approval');
      const page = await stage.foreigner();
      await page.goto(await foreignSite());
      const tried = await page.evaluate(
        async ({ cancel, token, url }) => {
          const outcome = (asked: Promise<Response>) =>
            asked.then(
              (response) => `${response.type} ${response.status}`,
              () => 'refused',
            );
          const authorization = { authorization: `Bearer ${token}` };
          const json = { ...authorization, 'content-type': 'application/json' };
          return [
            await outcome(fetch(`${url}/runs`)),
            await outcome(fetch(`${url}/runs`, { headers: authorization })),
            await outcome(fetch(`${url}/live`, { headers: authorization })),
            await outcome(fetch(cancel, { method: 'POST', headers: json, body: '{}' })),
            // Sent, and refused there; the page learns nothing.
            await outcome(fetch(cancel, { method: 'POST', mode: 'no-cors', body: '{}' })),
            await outcome(fetch(`${url}/console/`, { mode: 'no-cors' })),
          ];
        },
        { url: stage.at.url, token: stage.at.token, cancel: `${stage.at.url}/runs/${id}/cancel` },
      );
      expect(tried).toEqual(['refused', 'refused', 'refused', 'refused', 'refused', 'refused']);
      expect(await statusOf(id)).toBe('waiting_for_approval');
      await page.evaluate((url) => {
        const frame = document.createElement('iframe');
        frame.src = url;
        document.body.append(frame);
      }, `${stage.at.url}/console/`);
      await expect
        .poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:')))
        .toBe(true);
    });
  });
}
