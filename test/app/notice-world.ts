import { defineAgent } from '../../shared/agent/index.ts';
import type { Notices } from '../../shared/app/notices.ts';
import { type TargetDoc, targetDoc } from '../../shared/app/records/notice-documents.ts';
import type { NoticeTarget } from '../../shared/domain/notice.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { World, type WorldOptions } from './world.ts';

export const OPS = 'https://chat.example/ops';
export const CONSOLE = 'https://ops.example';

export const target = (over: Partial<NoticeTarget> = {}): NoticeTarget => ({
  name: 'ops',
  form: 'json',
  at: { url: OPS },
  events: ['approval', 'input', 'unknown-send', 'blocked', 'failed', 'deadline', 'purge'],
  after: 0,
  lead: 3_600_000,
  digest: 0,
  content: false,
  ...over,
});

export const noticesFor = (...targets: readonly NoticeTarget[]): Notices => ({
  targets,
  urlOf: ({ at }) => Promise.resolve('url' in at ? at.url : undefined),
  console: () => Promise.resolve(CONSOLE),
});

/** Asks, fails or ends, as it is told. */
export const asker = defineAgent({
  name: 'asker',
  description: 'Asks, fails or ends.',
  run(ctx) {
    if (ctx.text === 'ask') return ctx.ask('What?');
    if (ctx.text === 'fail') throw new Error('it does not work');
    return 'done';
  },
});

export interface NoticeWorld {
  readonly world: World;
  readonly webhooks: MemoryWebhooks;
}

export function noticeWorld(
  targets: readonly NoticeTarget[] = [target()],
  options: WorldOptions = {},
): NoticeWorld {
  const webhooks = new MemoryWebhooks();
  const notices = noticesFor(...targets);
  return { webhooks, world: new World(asker, { outgoing: webhooks, notices, ...options }) };
}

/** The notices that a target of the form `json` was told, in their order. */
export function toldTo(
  webhooks: MemoryWebhooks,
  url = OPS,
): readonly { readonly id: string; readonly kind: string; readonly run: string }[] {
  return webhooks.posts
    .filter((post) => post.url === url)
    .flatMap(({ body }) => body['notices'] as never);
}

export async function targetRow(world: World, name = 'ops'): Promise<TargetDoc> {
  const row = await world.app.store.get(targetDoc(name));
  if (row === undefined) throw new Error('no such target');
  return row;
}
