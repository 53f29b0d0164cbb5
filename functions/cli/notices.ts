import type { z } from 'zod';
import { noticeTarget, noticeTargetList } from '../../shared/operator/notice-schemas.ts';
import { usage } from './cli-error.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { YES } from './confirm.ts';
import { type Cell, type Column, columns, facts, table } from './screen/view.ts';
import { plain, spanOf } from './table.ts';

type Target = z.input<typeof noticeTarget>;

const COLUMNS: readonly Column[] = columns('target', 'form', 'state', 'left', 'told', 'of');

/** Whom operators want told, and telling one of them again. */
export const NOTICES: Command = {
  name: 'notices',
  takes: '[<redeliver> <target>]',
  summary: 'whom the installation tells of what waits, fails or ends; or has one told again',
  columns: COLUMNS,
  examples: ['notices', 'notices redeliver chat'],
  options: [YES],
  run(around) {
    const [what = 'list'] = around.args;
    if (what === 'list') return list(around);
    if (what === 'redeliver') return redeliver(around);
    throw usage(`notices ${what} is nothing; there are list and redeliver`);
  },
};

async function list({ client, now }: Surroundings): Promise<Found> {
  const { raw, value } = await client.get('/notices', noticeTargetList);
  const rows = value.targets.map((target): readonly Cell[] => [
    target.name,
    target.form,
    stateOf(target, now),
    String(target.left),
    target.toldAt === undefined ? '' : { at: target.toldAt },
    target.events.join(' '),
  ]);
  const none = 'no target is told; docs/notices.md says how to set that up';
  return { data: raw, text: [table({ columns: COLUMNS, rows, none })] };
}

async function redeliver({ args, client, confirm, now }: Surroundings): Promise<Found> {
  const name = args[1];
  if (name === undefined || name === '') throw usage('the target is missing; `holdfast notices`');
  await confirm({ shown: [facts([['target', name]])], question: 'Tell it again' });
  const path = `/notices/${encodeURIComponent(name)}/redeliver`;
  const { raw, value } = await client.post(path, {}, noticeTarget);
  return {
    data: raw,
    text: [
      facts([
        ['target', value.name],
        ['state', stateOf(value, now)],
      ]),
    ],
  };
}

function stateOf(target: Target, now: number): string {
  const { failures = 0, nextAt, parkedSince, reason = '', status } = target;
  const why = `${plain(reason)}, ${failures} times`;
  if (parkedSince !== undefined) return `parked for ${spanOf(now - parkedSince)}: ${why}`;
  if (nextAt === undefined || failures === 0) return status;
  return `next attempt in ${spanOf(Math.max(0, nextAt - now))}: ${why}`;
}
