import { runCodec } from '../../shared/app/records/run-document.ts';
import { type Run, type RunFrame, without } from '../../shared/domain/run.ts';
import type { Backend, Fields, Write } from '../../shared/ports/backend.ts';
import { bound } from './known-bugs.ts';

const RUN = /^runs\/[^/]+$/;
const SEND = /\/sends\/[^/]+$/;

/** A database that changes what is written, or drops it where nothing is left. */
function rewriting(
  backend: Backend,
  change: (path: string, fields: Fields) => Fields | undefined,
): Backend {
  const changed = (write: Write): readonly Write[] => {
    if (write.fields === undefined) return [write];
    const fields = change(write.path, write.fields);
    return fields === undefined ? [] : [{ ...write, fields }];
  };
  return {
    ...bound(backend),
    commit: (checks, writes) => backend.commit(checks, writes.flatMap(changed)),
  };
}

/** Rows of runs go through this on their way. */
function rewritingRuns(backend: Backend, change: (run: Run) => RunFrame): Backend {
  return rewriting(backend, (path, fields) =>
    RUN.test(path) ? runCodec.encode(change(runCodec.decode(fields, path)) as Run) : fields,
  );
}

/** A send leaves before it is noted. */
export const sendsBeforeTheCommit = (backend: Backend): Backend =>
  rewriting(backend, (path, fields) =>
    SEND.test(path) && fields['state'] === 'prepared' ? undefined : fields,
  );

/** Rows of this kind are never found, and never in the way. */
function forgetting(backend: Backend, kind: RegExp): Backend {
  return {
    ...bound(backend),
    async read(paths) {
      const rows = await backend.read(paths);
      return rows.map((row, at) => (kind.test(paths[at] ?? '') ? undefined : row));
    },
    commit: (checks, writes) =>
      backend.commit(
        checks.filter(({ path }) => !kind.test(path)),
        writes.map((write) => (kind.test(write.path) ? { ...write, expect: 'any' } : write)),
      ),
  };
}

/** What was sent before is not known, so it is sent again. */
export const forgetsSends = (backend: Backend): Backend => forgetting(backend, SEND);

/** An event that is delivered again is another one. */
export const forgetsIdsOfEvents = (backend: Backend): Backend =>
  forgetting(backend, /\/signalIds\/[^/]+$/);

/** An event is counted, and not kept. */
export const dropsEvents = (backend: Backend): Backend =>
  rewriting(backend, (path, fields) => (/\/signals\/[^/]+$/.test(path) ? undefined : fields));

/** The process that resolves a wait overwrites what another has made of the run meanwhile. */
export function resolvesUnguarded(backend: Backend): Backend {
  return {
    ...bound(backend),
    commit(checks, writes) {
      const resolves = writes.some(({ fields }) => (fields?.['resolvedAt'] ?? null) !== null);
      return resolves
        ? backend.commit(
            [],
            writes.map((write) => ({ ...write, expect: 'any' })),
          )
        : backend.commit(checks, writes);
    },
  };
}

/** A remote task that no run waits for is left to itself. */
export const forgetsOrphans = (backend: Backend): Backend =>
  rewritingRuns(backend, (run) => without(run, 'orphans'));

/** CancelTask leaves, and nothing says so. */
export const cancelsUnannounced = (backend: Backend): Backend =>
  rewriting(backend, (path, fields) =>
    SEND.test(path) ? { ...fields, cancelledAt: null } : fields,
  );

/** What was decided brings the run back again and again. */
export function keepsDecisions(backend: Backend): Backend {
  const known = new Map<string, Run['continuation']>();
  return rewritingRuns(backend, (run) => {
    if (run.continuation?.kind === 'decision') known.set(run.taskId, run.continuation);
    const kept = known.get(run.taskId);
    return run.status === 'running' && kept !== undefined ? { ...run, continuation: kept } : run;
  });
}

/** A decision is carried out, and stays as good as new. */
export const neverConsumes = (backend: Backend): Backend =>
  rewriting(backend, (path, fields) =>
    /\/decisions\/[^/]+$/.test(path) ? { ...fields, state: 'stored' } : fields,
  );

/** No row says that a tool is at work which must not run twice. */
export const forgetsEffects = (backend: Backend): Backend =>
  rewritingRuns(backend, (run) => without(run, 'effect'));

/** What a run has used is counted from its last suspension. */
export const forgetsWhatWasSpent = (backend: Backend): Backend =>
  rewritingRuns(backend, (run) =>
    run.status === 'waiting_for_dependency'
      ? { ...run, spent: { ...run.spent, rounds: 0, tokens: 0 } }
      : run,
  );

/** A run that waits keeps the key of what it worked with when it ends. */
export function keepsPayloadKeys(backend: Backend): Backend {
  const known = new Map<string, Uint8Array>();
  return rewritingRuns(backend, (run) => {
    if (run.payloadKey !== undefined) known.set(run.taskId, run.payloadKey);
    const kept = known.get(run.taskId);
    return kept === undefined ? run : { ...run, payloadKey: kept };
  });
}
