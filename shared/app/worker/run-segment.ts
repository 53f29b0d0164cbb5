import { blockOf, type Change } from '../../domain/blocked.ts';
import { exceeded } from '../../domain/budget.ts';
import type { Item } from '../../domain/item.ts';
import type { Artifact, Part } from '../../domain/message.ts';
import { type Run, tryOf } from '../../domain/run.ts';
import { ownMetadata } from '../../domain/task.ts';
import { type Delivery, progress } from '../../domain/transitions.ts';
import { isPassing, isRefusal, Unreadable } from '../../ports/faults.ts';
import { type Agent, changesFor, type Ending, limitsOf, type SegmentPorts } from '../agents.ts';
import type { App } from '../app.ts';
import type { Claimed } from '../segment/claim-run.ts';
import { runDoc } from '../records/documents.ts';
import { earlierTasks, taskById } from '../segment/earlier-tasks.ts';
import { recallTasks } from '../segment/recall-tasks.ts';
import { taskBefore } from '../segment/task-before.ts';
import { agentMessage } from '../change/end-run.ts';
import type { HeldView } from '../change/projection.ts';
import { type Lease, keepLease } from '../segment/lease.ts';
import { isEcho, ownStrays } from './own-strays.ts';
import { faultOf, measured } from './segment-facts.ts';
import { requireSize } from './item-size.ts';
import { mayDelegate, mayHaveFiles, mayTakeSteps } from './may-write.ts';
import { createReport } from '../segment/report.ts';
import { ArtifactsExceeded, requireEndingSize, ShownArtifacts } from './shown-artifacts.ts';
import { createTranscript } from './transcript.ts';
import { type Input, loadInput } from '../privacy/load-input.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { SegmentOver } from '../segments.ts';
import { noteFault } from '../segment/note-fault.ts';
import { SegmentProgress } from '../segment/segment-progress.ts';
import {
  type ForcedEnding,
  endSegment,
  type SegmentOutcome,
  yieldRun,
} from '../segment/end-segment.ts';
import { openFiles, type SegmentFiles } from '../segment/segment-files.ts';
import { applyDecision } from '../decisions/apply-decision.ts';
import { tightenCeiling } from '../privacy/tighten-ceiling.ts';
import type { TaskSpan } from '../task-span.ts';
import { taskSpan, traced } from '../tracing.ts';
import { faultName } from '../wake-up.ts';

/**
 * Runs one segment of a claimed run: the agent works, its progress is committed under the claim,
 * and its ending is one more transaction. A segment that lost its claim writes nothing more (G12).
 * Never throws: what can't be committed here lapses with its lease, and the reaper takes it up.
 */
export function runSegment(
  app: App,
  claimed: Claimed,
  agent: Agent | undefined,
  delivery: Delivery,
): Promise<void> {
  const { taskId: task, fence, revision } = claimed.run;
  const attributes = { task, fence, revision, attempt: tryOf(claimed.run) };
  const genAi = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': claimed.run.agent };
  return traced(
    app,
    'segment',
    () => ({ attributes: { ...attributes, ...genAi } }),
    async (traceable, span) => {
      const { log, clock } = traceable;
      const began = clock.now();
      log.write('info', 'segment began', attributes);
      const outcome = await segment(traceable, claimed, agent, taskSpan(traceable, span));
      const status = outcome?.run?.status ?? 'unsettled';
      const took = clock.now() - began;
      const waited = delivery.dispatched - delivery.due;
      measured(traceable, claimed.run, { status, took, waited });
      log.write('info', 'segment ended', {
        ...attributes,
        status,
        ...delivery,
        claimed: began,
        // A run that was put back into the queue made nothing public.
        committed: status === 'queued' ? undefined : outcome?.run?.statusAt,
        waited,
        milliseconds: took,
      });
      span?.set({ status });
      const fault = faultOf(claimed.run, outcome);
      if (fault !== undefined) span?.fail(fault);
    },
  );
}

async function segment(
  app: App,
  claimed: Claimed,
  agent: Agent | undefined,
  span: TaskSpan,
): Promise<SegmentOutcome | undefined> {
  const lease = keepLease(app, claimed);
  const { run } = claimed;
  try {
    lease.projectSoon(app.settings.progressDelay);
    return await work(app, lease, agent, span);
  } catch (error) {
    app.log.write('error', 'segment not settled', {
      task: run.taskId,
      fence: run.fence,
      fault: faultName(error),
    });
    return undefined;
  } finally {
    lease.stop('lost');
    await lease.release();
  }
}

async function work(
  app: App,
  lease: Lease,
  agent: Agent | undefined,
  span: TaskSpan,
): Promise<SegmentOutcome | undefined> {
  if (agent === undefined) {
    const changes = mustWait(app, lease);
    const unknown = { kind: 'ended', reason: 'AGENT_UNKNOWN' } as const;
    return endSegment(app, lease, [], changes ? { kind: 'blocked', changes } : unknown);
  }
  const { run } = lease.claimed;
  let loaded: Loaded;
  let delegates: boolean;
  let files: SegmentFiles | undefined;
  let report: SegmentPorts['report'];
  try {
    if (!(await mayHaveFiles(app, agent)) || !(await mayTakeSteps(app, agent)))
      return endSegment(app, lease, [], { kind: 'refused' });
    delegates = await mayDelegate(app, agent);
    loaded = await load(app, run, lease.claimed.held);
    const over = await applyDecision(app, lease);
    if (over !== undefined) return over;
    const changes = mustWait(app, lease);
    if (changes !== undefined) return endSegment(app, lease, [], { kind: 'blocked', changes });
    report = createReport(app, lease, loaded.runKey);
    const opened = agent.files && (await openFiles(app, lease, agent.files, report));
    if (typeof opened === 'string')
      return endSegment(app, lease, [], { kind: 'ended', reason: opened });
    files = opened;
  } catch (error) {
    // What is not known to be final is tried again: only attempts run out.
    if (!(error instanceof Unreadable)) return endSegment(app, lease, [], { kind: 'retry', error });
    return endSegment(app, lease, [], { kind: 'ended', reason: 'STATE_UNREADABLE' });
  }
  // What came while it waited may have been too much.
  const limit = exceeded(run.spent, limitsOf(app.settings, agent));
  if (limit !== undefined) {
    await files?.close();
    return endSegment(app, lease, [], { kind: 'exceeded', limit });
  }
  return toItsEnd(app, lease, agent, { ...loaded, delegates, files, report, span });
}

/**
 * What a run that waited would go on with, and is gone or changed. Undefined: it may go on. A run
 * that never waited has lost nothing that a person or another agent did for it.
 */
function mustWait({ agents, clock }: App, { run }: Lease): readonly Change[] | undefined {
  if (run.pauseGeneration === 0) return undefined;
  const changes = changesFor(agents, run);
  return blockOf(run, changes, clock.now()) && changes;
}

/** What a segment works with. */
interface Opened extends Loaded {
  readonly delegates: boolean;
  readonly files: SegmentFiles | undefined;
  readonly report: SegmentPorts['report'];
  readonly span: TaskSpan;
}

/** The agent works until it says how its segment ends, or until it is stopped. */
async function toItsEnd(
  app: App,
  lease: Lease,
  agent: Agent,
  opened: Opened,
): Promise<SegmentOutcome | undefined> {
  const { files, input, runKey } = opened;
  const gathered = new SegmentProgress(
    app,
    runKey,
    input.artifacts,
    (items) => flush(app, lease, items),
    () => lease.run.answerCeiling === 'redacted',
  );
  const shown = new ShownArtifacts(app, input.artifacts);
  const segment = segmentPorts(app, lease, agent, opened, { gathered, shown });
  const { left, strayed, working } = ownStrays(app, segment, (stray) =>
    attempt(app, agent, { ...segment, stray }, shown),
  );
  try {
    const ending = await Promise.race([working, stopped(lease), strayed]);
    return await endAs(app, lease, await gathered.close(), ending, files);
  } finally {
    // An agent that does not stop when it is told to, or that left an error behind, still writes
    // there.
    const closed = files && working.then(() => files.close());
    if (!lease.signal.aborted && !left.aborted) await closed;
  }
}

async function endAs(
  app: App,
  lease: Lease,
  rest: readonly Item[],
  ending: Ending | ForcedEnding,
  files: SegmentFiles | undefined,
): Promise<SegmentOutcome | undefined> {
  const { reason } = lease.signal as { readonly reason: unknown };
  // What was gathered was not shown yet, and is made anew.
  if (reason === 'shutdown') return yieldRun(app, lease, true);
  // Nothing that it makes could be stored, however often it is tried.
  const failure = files?.failure ?? (reason === 'unstorable' ? 'RESULT_NOT_STORED' : undefined);
  if (failure !== undefined) return endSegment(app, lease, [], { kind: 'ended', reason: failure });
  if (reason === 'refused') return endSegment(app, lease, [], { kind: 'refused' });
  if (lease.signal.aborted && reason !== 'deadline') return undefined;
  if (lease.signal.aborted)
    return endSegment(app, lease, rest, { kind: 'ended', reason: 'DEADLINE_EXCEEDED' });
  return endSegment(app, lease, rest, ending, files);
}

interface Loaded {
  readonly runKey: SealingKey;
  readonly input: Input;
}

/**
 * A run that was given another key since its claim is read by its row as it is now. Throws
 * Unreadable, Unavailable.
 */
async function load(app: App, run: Run, held?: HeldView): Promise<Loaded> {
  try {
    const runKey = await runKeyOf(app, run);
    return { runKey, input: await loadInput(app, runKey, run, held) };
  } catch (error) {
    const current = error instanceof Unreadable ? await app.store.get(runDoc(run.taskId)) : run;
    if (current === undefined || current.scrubbedRevision === run.scrubbedRevision) throw error;
    return load(app, current);
  }
}

/** What the caller is told of ArtifactsExceeded. */
const TOO_MUCH = 'The agent showed more than a task may hold.';

/**
 * The agent's own failure is an ending like others; an infrastructure fault that passed through it
 * is a retry.
 */
async function attempt(
  app: App,
  agent: Agent,
  segment: SegmentPorts,
  shown: ShownArtifacts,
): Promise<Ending | ForcedEnding> {
  try {
    const ending = await agent.run(segment);
    requireEndingSize(app, ending, shown);
    if (ending.kind === 'failed' && !isEcho(ending.error, segment.signal)) {
      const { error, fault } = ending;
      segment.report({ where: 'agent', error, ...(fault !== undefined && { fault }) });
    }
    return ending;
  } catch (error) {
    if (isPassing(error)) return { kind: 'retry', error };
    // Its transcript, which no other try could read either.
    if (error instanceof Unreadable) return { kind: 'ended', reason: 'STATE_UNREADABLE' };
    if (!isEcho(error, segment.signal)) segment.report({ where: 'agent', error });
    return error instanceof ArtifactsExceeded
      ? { kind: 'failed', parts: [{ text: TOO_MUCH }], error, fault: 'ARTIFACTS_EXCEEDED' }
      : { kind: 'failed', parts: [], error };
  }
}

function stopped(lease: Lease): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (): void => resolve({ kind: 'retry', error: lease.signal.reason });
    if (lease.signal.aborted) settle();
    else lease.signal.addEventListener('abort', settle, { once: true });
  });
}

async function flush(app: App, lease: Lease, items: readonly Item[]): Promise<boolean> {
  const { run: claimed, token } = lease.claimed;
  try {
    const outcome = await lease.commit({
      publish: { items },
      decide: (run, now) => progress(run, token, now + app.settings.lease, now),
    });
    if (outcome.kind === 'changed') lease.projectSoon(0);
    return outcome.kind === 'changed';
  } catch (error) {
    // What could not be committed can't be shown; the segment begins anew elsewhere or later.
    app.log.write('warning', 'progress not committed', {
      task: claimed.taskId,
      fault: faultName(error),
    });
    if (isRefusal(error)) noteFault(app, lease, error);
    lease.stop(isRefusal(error) ? 'refused' : 'lost');
    return false;
  }
}

/** An operator's answer comes from no caller; the task is its owner's all the same. */
function senderOf({ owner, tenant }: Run, { beside = {} }: Input) {
  const { claims, ...request } = beside;
  const caller = { owner, tenant, authenticated: owner !== '', ...(claims && { claims }) };
  return { caller, request };
}

/** What the agent shows goes through these. */
interface Showing {
  readonly gathered: SegmentProgress;
  readonly shown: ShownArtifacts;
}

function segmentPorts(
  app: App,
  lease: Lease,
  agent: Agent,
  { input, delegates, files, report, runKey, span }: Opened,
  { gathered, shown }: Showing,
): Omit<SegmentPorts, 'stray'> {
  const { run } = lease.claimed;
  const take = async (item: Item): Promise<void> => {
    if (lease.signal.aborted) throw new SegmentOver(lease.signal.reason);
    await gathered.take(item);
    if (lease.signal.aborted) throw new SegmentOver(lease.signal.reason);
  };
  return {
    taskId: run.taskId,
    contextId: run.contextId,
    message: input.message,
    ...senderOf(run, input),
    history: input.history,
    artifacts: input.artifacts.length,
    attempt: tryOf(run),
    signal: lease.signal,
    earlierTasks: () => earlierTasks(app, run),
    recall: (taskIds) => recallTasks(app, run, taskIds),
    taskById: (id) => taskById(app, run, id),
    before: () => taskBefore(app, run, runKey, input),
    async status(parts: readonly Part[], { frame, metadata } = {}) {
      requireSize(app, 'the status', parts);
      await take({
        kind: 'status',
        state: 'WORKING',
        at: app.clock.now(),
        ...(parts.length > 0 && { message: agentMessage(app, parts, frame) }),
        ...(metadata && { metadata: ownMetadata(metadata, false) }),
      });
    },
    async artifact(artifact: Artifact, append: boolean, lastChunk: boolean) {
      // A draft counts when it is stated whole; its author is the model, which is held to less.
      if (!artifact.draft) shown.take(artifact);
      else if (lease.run.answerCeiling !== 'full') return;
      await take({ kind: 'artifact', artifact, append, lastChunk });
    },
    prices: app.prices ?? {},
    now: () => app.clock.now(),
    after: (wait, callback) => app.clock.after(wait, callback),
    async tighten(wanted) {
      if (wanted.answer === 'redacted') gathered.redact();
      if (!lease.signal.aborted) await tightenCeiling(app, run.taskId, wanted);
      if (lease.signal.aborted) throw new SegmentOver(lease.signal.reason);
    },
    warn: (event, fields) =>
      app.log.write('warning', event, { task: run.taskId, fence: run.fence, ...fields }),
    transcript: createTranscript(app, lease, agent, { delegates, files, gathered, shown }),
    ...(files && { folder: files.folder }),
    toolServers: app.toolServers,
    span,
    measure: (name, value, attributes) => app.metrics?.measure(name, value, attributes),
    report,
  };
}
