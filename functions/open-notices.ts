import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { App } from '../shared/app/app.ts';
import type { Notices } from '../shared/app/notices.ts';
import type { NoticeTarget } from '../shared/domain/notice.ts';
import type { OutgoingHttp } from '../shared/ports/outgoing-http.ts';
import { BadConfiguration } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface NoticesOptions {
  readonly targets: readonly NoticeTarget[];
  readonly environment: Environment;
  /** Where the console is, as it becomes known. */
  readonly console: () => Promise<string | undefined>;
}

/** Whom operators want told; undefined: no one, and nothing is looked for. */
export function openNotices({
  console,
  environment,
  targets,
}: NoticesOptions): Notices | undefined {
  if (targets.length === 0) return undefined;
  return {
    targets,
    console,
    urlOf: async ({ at }) => ('url' in at ? at.url : secretOf(environment, at.secret)),
  };
}

/**
 * A deployment mounts each secret as a file, `<name>/value` in the folder HOLDFAST_NOTICE_FILES, so
 * that none is in an environment, and a new version counts at once. Elsewhere it is the environment
 * variable of that name.
 */
async function secretOf(environment: Environment, name: string): Promise<string | undefined> {
  const folder = environment['HOLDFAST_NOTICE_FILES'];
  const text =
    folder === undefined || basename(name) !== name
      ? environment[name]
      : await readFile(join(folder, name, 'value'), 'utf8').catch(() => environment[name]);
  return text?.trim() || undefined;
}

/** What tells a target, loaded where there are any. */
export async function openTellTarget(
  notices: Notices | undefined,
): Promise<{ readonly tellTarget?: NonNullable<App['tellTarget']> }> {
  if (notices === undefined) return {};
  const { tellTarget } = await import('../shared/app/notices/tell-target.ts');
  return { tellTarget };
}

export interface Unreachable {
  readonly target: string;
  readonly why: string;
}

/**
 * Targets whose URL can't be called or is not at hand: where notices are sent from, that is better
 * known at the start than when something waits.
 */
export async function unreachable(
  notices: Notices | undefined,
  outgoing: Pick<OutgoingHttp, 'objectionTo'>,
): Promise<readonly Unreachable[]> {
  const found: Unreachable[] = [];
  for (const target of notices?.targets ?? []) {
    const url = await notices?.urlOf(target);
    const objection = url === undefined ? undefined : outgoing.objectionTo(url);
    const name = 'secret' in target.at ? target.at.secret : '';
    if (url === undefined)
      found.push({ target: target.name, why: `the secret ${name}, its URL, is not set` });
    else if (objection !== undefined)
      found.push({
        target: target.name,
        why: `its URL is refused: ${objection}; on one machine, --allow-private-webhooks lets it be private or http (docs/outgoing.md)`,
      });
  }
  return found;
}

/** Throws BadConfiguration that names the first of them. */
export async function requireReachable(
  notices: Notices | undefined,
  outgoing: Pick<OutgoingHttp, 'objectionTo'>,
): Promise<void> {
  const [first] = await unreachable(notices, outgoing);
  if (first !== undefined) throw new BadConfiguration(`notices: ${first.target}: ${first.why}`);
}
