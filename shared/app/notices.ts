import type { NoticeTarget } from '../domain/notice.ts';

/** Whom the operators of an installation want told (docs/notices.md). Absent: no one. */
export interface Notices {
  readonly targets: readonly NoticeTarget[];
  /** Where a target is. Undefined: its secret is not at hand in this process. */
  urlOf(target: NoticeTarget): Promise<string | undefined>;
  /** Where the console is, without a slash at its end. Undefined: notices have no links. */
  console(): Promise<string | undefined>;
}
