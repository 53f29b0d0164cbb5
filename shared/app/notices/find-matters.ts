import type { Millis } from '../../domain/brand.ts';
import { isWanted, type Matter, mattersOf, type NoticeTarget } from '../../domain/notice.ts';
import type { ClaimToken, Run } from '../../domain/run.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { mergedRows } from '../records/merged-rows.ts';
import { noticeDoc, noticeId, type TargetDoc } from '../records/notice-documents.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { changeHeld, type Held } from './change-target.ts';
import { type Look, looksFor } from './looks.ts';

/** Found together are so many, in one commit. */
const BATCH = 50;
/**
 * A commit can take this long to be seen after the time that its row says, clocks that differ
 * included: so far back each look begins before the end of the last one.
 */
const OVERLAP: Millis = 10 * 60_000;
/** What was told is known so long after it was last found: longer than looks overlap. */
const KNOWN: Millis = 24 * 60 * 60_000;

/** A matter of one run, under the id that it has for one target. */
interface Found {
  readonly id: string;
  readonly taskId: string;
  readonly matter: Matter;
}

/**
 * Looks at the rows of runs for what a target is to be told, and numbers what is new in the order
 * in which it was found. Each matter has one row for each target, so what several looks find, or
 * one again after a crash, is told once. Undefined: the claim is lost.
 */
export async function findMatters(
  app: App,
  target: NoticeTarget,
  held: Held,
): Promise<TargetDoc | undefined> {
  const now = app.clock.now();
  const { token } = held.delivery.claim;
  const looks = looksFor(target, app.settings, held.looked, now);
  for (const look of looks) {
    let batch: Found[] = [];
    for await (const run of rowsOf(app, look, held)) {
      batch.push(...foundIn(target, look, run, now));
      if (batch.length < BATCH) continue;
      if ((await keep(app, target.name, token, batch)) === undefined) return undefined;
      batch = [];
    }
    if (batch.length > 0 && (await keep(app, target.name, token, batch)) === undefined)
      return undefined;
  }
  const seen = Object.fromEntries(
    looks.flatMap((look) => [
      [look.name, look.until ?? now],
      ...(look.fresh === true ? [[beginOf(look), held.looked[beginOf(look)] ?? look.until]] : []),
    ]),
  ) as TargetDoc['looked'];
  return changeHeld(app, target.name, token, (current) => ({
    ...current,
    looked: { ...current.looked, ...seen },
  }));
}

/** Under this name the row of a target knows when a look began that tells nothing from before. */
const beginOf = ({ name }: Look): string => `${name} from`;

async function* rowsOf(app: App, look: Look, { looked }: TargetDoc): AsyncGenerator<Run> {
  const { fresh, name, rows, until } = look;
  const first = fresh === true ? (looked[beginOf(look)] ?? until ?? 0) : 0;
  const from = Math.max(first, (looked[name] ?? 0) - OVERLAP);
  const { runs: shards } = await app.shards.toRead();
  const queries = Array.from(
    { length: shards },
    (_, shard): Query<Run | undefined> => ({
      collection: 'runs',
      codec: readableRunCodec,
      filters: [{ field: 'shard', equals: shard }, rows],
      order: { field: 'statusAt', direction: rows.field === 'attention' ? 'desc' : 'asc' },
      ...(until !== undefined && {
        from: { value: from, inclusive: true },
        to: { value: until, inclusive: true },
      }),
      limit: BATCH,
    }),
  );
  for await (const { value } of mergedRows(app.store, queries, BATCH * shards)) {
    if (value !== undefined) yield value;
  }
}

function foundIn(target: NoticeTarget, look: Look, run: Run, now: Millis): readonly Found[] {
  const wanted = mattersOf(run, now, target.lead).filter(
    (matter) => matter.kind === look.kind && isWanted(target, run, matter, now),
  );
  const { taskId } = run;
  return wanted.map((matter) => ({ id: noticeId(target.name, taskId, matter), taskId, matter }));
}

/** Numbers what is new. What is known already stays known, as long as it is found. */
function keep(
  app: App,
  name: string,
  token: ClaimToken,
  batch: readonly Found[],
): Promise<TargetDoc | undefined> {
  const found = [...new Map(batch.map((each) => [each.id, each])).values()];
  const docs = found.map(({ id }) => noticeDoc(name, id));
  return changeHeld(app, name, token, async (held, tx) => {
    const now = app.clock.now();
    const known = await tx.getAll(docs);
    let { seq } = held;
    for (const [at, { matter, taskId }] of found.entries()) {
      const [doc, present] = [docs[at], known[at]];
      if (doc === undefined) continue;
      const expiresAt = now + KNOWN;
      if (present === undefined) {
        const { kind, mark } = matter;
        seq += 1;
        tx.set(doc, { v: 1, seq, taskId, kind, mark, foundAt: now, expiresAt });
      } else if (present.expiresAt < now + KNOWN / 2) tx.set(doc, { ...present, expiresAt });
    }
    return { ...held, seq };
  });
}
