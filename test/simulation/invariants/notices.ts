import { isWanted, mattersOf, type NoticeTarget } from '../../../shared/domain/notice.ts';
import type { Run } from '../../../shared/domain/run.ts';
import {
  noticeId,
  type TargetDoc,
  targetDoc,
} from '../../../shared/app/records/notice-documents.ts';
import { TARGETS } from '../notice-targets.ts';
import { allRuns } from '../../../testing/rows.ts';
import type { World } from '../world.ts';

function rowOf({ backend }: World, { name }: NoticeTarget): TargetDoc | undefined {
  const { codec, path } = targetDoc(name);
  const row = backend.all('noticeTargets').find((each) => each.path === path);
  return row && codec.decode(row.fields, path);
}

/** What a run has to tell a target as it is; what failed before the first look is not among it. */
function idsOf(world: World, target: NoticeTarget, run: Run): readonly string[] {
  const looked = rowOf(world, target)?.looked['failed from'] ?? Infinity;
  const now = Number.MAX_SAFE_INTEGER;
  return mattersOf(run, world.clock.now(), target.lead)
    .filter((matter) => isWanted(target, run, matter, now))
    .filter(({ at, kind }) => kind !== 'failed' || at >= looked)
    .map((matter) => noticeId(target.name, run.taskId, matter));
}

/** Each target was told what is to be told by now, and no process is at it. */
export function noticesRest(world: World): boolean {
  if (world.options.notices !== true) return true;
  return TARGETS.every((target) => {
    const row = rowOf(world, target);
    const told = world.hooks.noticesTo(target.name);
    const all = allRuns(world.backend).flatMap((run) => idsOf(world, target, run));
    return row?.delivery.status === 'idle' && all.every((id) => told.has(id));
  });
}

/**
 * Each matter that holds at the end was told to each target that wants it, and no failure of one
 * run under two ids (each at least once, once in intent). What is told a second time has the id of
 * the first.
 */
export function eachMatterIsToldOnce(world: World): string | undefined {
  if (world.options.notices !== true) return undefined;
  for (const target of TARGETS) {
    const told = world.hooks.noticesTo(target.name);
    for (const run of allRuns(world.backend)) {
      const missing = idsOf(world, target, run).find((id) => !told.has(id));
      if (missing !== undefined)
        return `${target.name} was not told that ${run.taskId} ${run.status}`;
      const failures = [...told.values()].filter((each) => each === `failed ${run.taskId}`);
      if (failures.length > 1) return `${target.name} was told twice that ${run.taskId} failed`;
    }
  }
  return undefined;
}
