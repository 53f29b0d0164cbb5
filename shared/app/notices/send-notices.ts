import type { Millis } from '../../domain/brand.ts';
import { sha256 } from '../../domain/digest.ts';
import { mattersOf, type NoticeTarget } from '../../domain/notice.ts';
import type { App } from '../app.ts';
import type { Notices } from '../notices.ts';
import type { NoticeDoc } from '../records/notice-documents.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { type FailedAttempt, postAttempt } from '../webhooks/post-attempt.ts';
import { contentOf } from './content-of.ts';
import { FORMS } from './forms.ts';
import type { Told } from './told.ts';

/** What is over by now is not told: a run that was answered, resolved or removed meanwhile. */
export async function stillTrue(
  app: App,
  target: NoticeTarget,
  page: readonly { readonly id: string; readonly value: NoticeDoc }[],
  now: Millis,
): Promise<readonly Told[]> {
  const runs = await app.store.getAll(
    page.map(({ value }) => ({ path: `runs/${value.taskId}`, codec: readableRunCodec })),
  );
  const told: Told[] = [];
  for (const [at, { id, value }] of page.entries()) {
    const run = runs[at];
    if (run === undefined) continue;
    const matter = mattersOf(run, now, target.lead).find(
      ({ kind, mark }) => kind === value.kind && mark === value.mark,
    );
    if (matter === undefined) continue;
    const { agent, taskId } = run;
    const content = target.content ? await contentOf(app, run, matter) : undefined;
    told.push({ ...matter, id, taskId, agent, ...(content !== undefined && { content }) });
  }
  return told;
}

/** One attempt to tell a target these matters. Undefined: it took them. */
export async function sendNotices(
  app: App,
  notices: Notices,
  target: NoticeTarget,
  told: readonly Told[],
  at: Millis,
): Promise<FailedAttempt | undefined> {
  const url = await notices.urlOf(target);
  if (url === undefined) return { reason: 'secret not at hand' };
  const console = await notices.console();
  const message = { at, told, ...(console !== undefined && { console }) };
  // Of the same matters it is the same message, also when their age is another.
  const key = sha256(told.map(({ id }) => id).join(' '));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'holdfast',
    'idempotency-key': `"${key}"`,
  };
  return postAttempt(app, { url, headers, body: JSON.stringify(FORMS[target.form](message)) });
}
