import { ArchiveRefused } from '../files/archive-refused.ts';
import { type ArchiveLimits, readArchive } from '../files/read-archive.ts';
import type { WorkspaceLimits } from '../ports/workspaces.ts';
import { Handover } from './handover.ts';
import { toTheEnd, type WorkspaceCheck } from './import-workspace.ts';

/** How many times its own size an archive may unpack to. */
const RATIO = 200;

/** Checks a workspace by the rules that hold for an archive from anyone, and unpacks nothing. */
export function workspaceCheck(limits: WorkspaceLimits): WorkspaceCheck {
  return {
    pass: (source) => passed(source, { ...limits, ratio: RATIO }),
    refusalOf(error) {
      if (!(error instanceof ArchiveRefused)) return undefined;
      const { path, rule } = error;
      return { rule: path === '' ? rule : `${JSON.stringify(path)} ${rule}` };
    },
  };
}

async function* passed(
  source: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<Uint8Array> {
  const handover = new Handover();
  const checking = check(handover.pieces(), limits);
  // Thrown where it is waited for.
  checking.catch(() => undefined);
  try {
    let held: Uint8Array | undefined;
    for await (const piece of source) {
      if (held !== undefined) yield held;
      held = piece;
      await handover.give(piece);
      // Refused: the rest is not read.
      if (handover.over) await checking;
    }
    await handover.give(undefined);
    // The last piece is handed on when all is known to be good.
    await checking;
    if (held !== undefined) yield held;
  } finally {
    await handover.give(undefined);
    await checking.catch(() => undefined);
  }
}

function check(archive: AsyncIterable<Uint8Array>, limits: ArchiveLimits): Promise<void> {
  return toTheEnd(readArchive(archive, limits));
}
