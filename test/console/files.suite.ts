import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../e2e/eventually.ts';
import { sendMessage } from './sample-runs.ts';
import type { Stage } from './stage.ts';
import { browserPath, lookAt } from './use-console.ts';

/** Text that is neither markup nor what it looks like. */
const HOSTILE = '<script>document.title=3</script>\u202e\u001b[31m';

/** The files and commits of a context, and the cards of agents. */
export function filesSuite(stage: Stage): void {
  describe('files', () => {
    let first = '';
    let second = '';
    let context = '';

    const completed = async (text: string, contextId?: string) => {
      const more = { agent: 'code-keeper', ...(contextId !== undefined && { contextId }) };
      const sent = await sendMessage(stage.at.server, text, more);
      const { get } = stage.at.api;
      await eventually(
        async () => ((await get(`/runs/${sent.id}`)).body as { status: string }).status,
        'completed',
      );
      return sent;
    };
    beforeAll(async () => {
      if (browserPath === undefined) return;
      const one = await completed(`write src/a.js\nlet a = 1;\nlet b = 2;\n// ${HOSTILE}\n`);
      [first, context] = [one.id, one.contextId];
      second = (await completed('rename b to c\nwrite docs/readme.md\n# Docs', context)).id;
    }, 120_000);

    const choose = async (page: Page, folder: string, file: string): Promise<void> => {
      await page.locator('.tree summary').filter({ hasText: folder }).click();
      await page.locator('.tree').getByRole('button', { name: file }).click();
    };

    test('of a context are folders, a file is its text, and it is downloaded as it is', async () => {
      const page = await stage.open(`/contexts/${context}`);
      await choose(page, 'src', 'a.js');
      const file = page.getByRole('region', { name: 'src/a.js' });
      const content = file.getByLabel('content of src/a.js');
      await expect.poll(() => content.textContent()).toContain('let c = 2;');
      expect(await content.textContent()).toContain('<script>document.title=3</script>');
      expect(await content.locator('.mark').allTextContents()).toEqual(['RLO', 'ESC']);
      expect(await page.locator('main script').count()).toBe(0);
      expect(await page.title()).toMatch(/^Context/);
      await lookAt(page, 'files');
      const coming = page.waitForEvent('download');
      await file.getByRole('button', { name: 'Download' }).click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe('a.js');
      expect(await readFile(await download.path(), 'utf8')).toContain(`// ${HOSTILE}`);
    });

    test('have commits, and each says line by line what it changed', async () => {
      const page = await stage.open(`/contexts/${context}`);
      const commits = page.locator('.commits > li');
      await commits.nth(1).waitFor();
      expect(await commits.count()).toBe(2);
      await commits.first().getByText('newest').click();
      await page.locator('.changed summary').filter({ hasText: 'src/a.js' }).click();
      const diff = page.getByLabel('changes of src/a.js');
      await diff.waitFor();
      expect(await diff.locator('.removed').allTextContents()).toEqual(['− let b = 2;\n']);
      expect(await diff.locator('.added').allTextContents()).toEqual(['+ let c = 2;\n']);
      await page.locator('.changed summary').filter({ hasText: 'docs/readme.md' }).click();
      await page.getByLabel('content of docs/readme.md').getByText('# Docs').waitFor();
      await lookAt(page, 'commits');
      await commits.first().getByRole('link', { name: second }).click();
      await page.getByRole('heading', { name: 'Changes of files' }).waitFor();
    });

    test('of a run are those that it left, also when others have changed them since', async () => {
      const page = await stage.open(`/runs/${first}`);
      await choose(page, 'src', 'a.js');
      await page.getByLabel('content of src/a.js').getByText('let b = 2;').waitFor();
      expect(await page.locator('.tree summary').filter({ hasText: 'docs' }).count()).toBe(0);
    });

    test('are for operators who may see content', async () => {
      const page = await stage.stranger();
      const { token, url } = stage.at;
      await page.route(`${url}/runs/${first}`, async (route) => {
        const response = await route.fetch();
        const run = (await response.json()) as { may: readonly string[] };
        await route.fulfill({ json: { ...run, may: run.may.filter((may) => may !== 'view') } });
      });
      await page.goto(`${url}/console/runs/${first}#token=${token}`);
      await page.getByRole('row', { name: /COMPLETED/ }).waitFor();
      expect(await page.getByRole('heading', { name: 'Files' }).count()).toBe(0);
    });
  });

  describe('an agent', () => {
    test('shows its card as callers get it, plainly and as JSON', async () => {
      const page = await stage.open('/agents');
      await page.getByRole('link', { name: 'code-keeper', exact: true }).click();
      await page.getByText('Edits a small code base over several tasks').first().waitFor();
      await page.getByText('for example: rename greet to welcome').waitFor();
      await page.getByText('As JSON', { exact: true }).click();
      const shown: unknown = JSON.parse((await page.getByLabel('As JSON').textContent()) ?? '');
      const served = await fetch(
        `${stage.at.server.url}/agents/code-keeper/.well-known/agent-card.json`,
        { headers: { 'a2a-version': '1.0' } },
      );
      expect(shown).toEqual(await served.json());
      await lookAt(page, 'card');
    });
  });
}
