import { describe, expect, test } from 'vitest';
import type { Stage } from './stage.ts';
import { lookAt } from './use-console.ts';

/** Trying an agent as a caller of one's own. */
export function playgroundSuite(stage: Stage): void {
  describe('the playground', () => {
    test('tries an agent: sees what comes, answers what it asks, follows it over a cut, and cancels', async () => {
      const page = await stage.open('/try');
      await page.getByLabel('Agent').selectOption('assistant');
      const message = page.getByLabel('Message');
      await message.fill('hello <img src=x onerror="document.title=1">');
      await page.getByRole('button', { name: 'Send' }).click();
      const talk = page.getByRole('list', { name: 'Conversation' });
      await talk.getByText('COMPLETED').waitFor();
      await talk.getByText('<img src=x').first().waitFor();
      expect(await talk.locator('img').count()).toBe(0);
      // The next task of the same context.
      await message.fill('pay Bob');
      await page.getByRole('button', { name: 'Send' }).click();
      await talk.getByText('INPUT REQUIRED').waitFor();
      await lookAt(page, 'try');

      // The stream of the answer is cut off before its first event.
      await page.getByText('Data or a file').click();
      await page.getByLabel('Data, as JSON').fill('{"euros": ');
      await page.getByRole('button', { name: 'Answer' }).click();
      await page.getByText('The data is no JSON.').waitFor();
      await page.getByLabel('Data, as JSON').fill('{"euros": 12}');
      await page.route('**/agents/assistant/try', async (route) => {
        const body: unknown = route.request().postDataJSON();
        const over = new AbortController();
        const response = await fetch(`${stage.at.url}/agents/assistant/try`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${stage.at.token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body),
          signal: over.signal,
        });
        over.abort();
        await route.fulfill({
          status: response.status,
          contentType: 'text/event-stream',
          body: '',
        });
      });
      await page.getByRole('button', { name: 'Answer' }).click();
      await talk.getByText('AUTH REQUIRED').waitFor();
      await page.getByText('waits for a decision').waitFor();
      await page.getByRole('button', { name: 'Cancel the task' }).click();
      await talk.getByText('CANCELED').waitFor();
      const runs = await stage.at.api.get('/runs?status=cancelled&limit=1');
      expect(runs.body).toMatchObject({ runs: [{ agent: 'assistant', state: 'CANCELED' }] });
    });

    test('sends a file, and says what an agent made of it', async () => {
      const page = await stage.open('/try');
      await page.getByLabel('Agent').selectOption('table-profiler');
      await page.getByText('Data or a file').click();
      const name = 'towns.csv';
      const buffer = Buffer.from('city,population\nUlm,126949\n');
      const input = page.getByLabel('File, of 700 KB at most');
      await input.setInputFiles({ name, mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Send' }).click();
      const talk = page.getByRole('list', { name: 'Conversation' });
      await talk.getByText('COMPLETED').waitFor();
      await talk.getByText('towns.csv (text/csv), 27 bytes').waitFor();
    });
  });
}
