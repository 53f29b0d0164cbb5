import { describe, expect, test } from 'vitest';
import { STORE } from '../e2e/server.ts';
import { filesSuite } from './files.suite.ts';
import { sendMessage } from './sample-runs.ts';
import { useStage } from './stage.ts';
import { browserPath } from './use-console.ts';

const SLOW = 240_000;

// npm-start.test.ts has all of it, over whichever store it is told.
describe.skipIf(browserPath === undefined || STORE === 'google')(
  'the console as it is deployed',
  () => {
    const stage = useStage('google');

    test(
      'shows a run as it comes, from another process, and has it approved',
      async () => {
        const page = await stage.open('/inbox');
        await page.getByText('live', { exact: true }).waitFor();
        const { id } = await sendMessage(stage.at.server, 'pay Ada 120 euros');
        await page.getByText('120 euros to Ada').waitFor();
        await page.getByRole('button', { name: 'Approve…' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
        await expect.poll(() => page.getByText('120 euros to Ada').count()).toBe(0);
        await page.goto(`${stage.at.url}/console/runs/${id}`);
        await page.getByRole('row', { name: /COMPLETED/ }).waitFor();
      },
      SLOW,
    );

    filesSuite(stage);
  },
);
