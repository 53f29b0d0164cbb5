import { z } from 'zod';
import { noticeTargets, redeliverNotices, type ShownTarget } from '../app/notices/list-targets.ts';
import { fail } from './failure.ts';
import { noticeTarget, noticeTargetList } from './notice-schemas.ts';
import { operation, requireOperator, type Surroundings } from './operation.ts';

/** A target is of no one agent: who has it told again needs the right on each of them. */
async function requireSendRight({ agents, caller }: Surroundings): Promise<void> {
  const rights = await Promise.all(agents.map((agent) => caller.rights(agent)));
  if (!rights.every((each) => each.has('send')))
    throw fail('PERMISSION_DENIED', 'This needs the right send on every agent.');
}

/** Without its URL, which may be a secret. */
function shown({ delivery, left, target, toldAt }: ShownTarget): z.input<typeof noticeTarget> {
  const { agents, events, form, name } = target;
  return {
    name,
    form,
    events: [...events],
    ...(agents !== undefined && { agents: [...agents] }),
    status: delivery.status,
    left,
    ...(delivery.status !== 'idle' && { failures: delivery.failures }),
    ...('reason' in delivery && { reason: delivery.reason }),
    ...(delivery.status === 'waiting' && { nextAt: delivery.nextAt }),
    ...(delivery.status === 'parked' && { parkedSince: delivery.parkedAt }),
    ...(toldAt !== undefined && { toldAt }),
  };
}

export const noticeOperations = [
  operation({
    id: 'listNoticeTargets',
    method: 'GET',
    path: '/notices',
    summary:
      'Whom this installation tells of what waits, fails or ends, and how far they were told.',
    right: 'any',
    answer: noticeTargetList,
    async handle(around) {
      await requireOperator(around);
      return { targets: (await noticeTargets(around.app)).map(shown) };
    },
  }),
  operation({
    id: 'redeliverNotices',
    method: 'POST',
    path: '/notices/{target}/redeliver',
    summary: 'Has a parked target told again: what came up meanwhile and still waits.',
    right: 'send',
    body: z.strictObject({}),
    answer: noticeTarget,
    errors: ['NOTICE_TARGET_NOT_FOUND', 'NOTICE_TARGET_NOT_PARKED'],
    async handle(around, { params }) {
      await requireSendRight(around);
      const again = await redeliverNotices(
        around.app,
        params['target'] ?? '',
        around.caller.subject,
      );
      if (again === undefined) throw fail('NOTICE_TARGET_NOT_FOUND');
      if (again === 'not parked') throw fail('NOTICE_TARGET_NOT_PARKED');
      return shown(again);
    },
  }),
];
