import type { Notices } from '../../shared/app/notices.ts';
import type { NoticeTarget } from '../../shared/domain/notice.ts';

const target = (name: string, over: Partial<NoticeTarget>): NoticeTarget => ({
  name,
  form: 'json',
  at: { url: `https://${name}.example/` },
  events: ['approval', 'input', 'unknown-send', 'failed'],
  after: 0,
  lead: 0,
  digest: 0,
  content: false,
  ...over,
});

/** One that is told at once, and one that collects. */
export const TARGETS: readonly NoticeTarget[] = [
  target('oncall', {}),
  target('board', { digest: 900, events: ['approval', 'failed'] }),
];

export const simulatedNotices: Notices = {
  targets: TARGETS,
  urlOf: ({ at }) => Promise.resolve('url' in at ? at.url : undefined),
  console: () => Promise.resolve('https://ops.example'),
};
