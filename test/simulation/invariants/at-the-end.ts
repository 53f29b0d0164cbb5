import { createKeyRing } from '../../../shared/app/key-ring.ts';
import { createCircuits } from '../../../shared/app/records/circuits.ts';
import { createPausedAgents } from '../../../shared/app/records/paused-agents.ts';
import { createShards } from '../../../shared/app/records/shards.ts';
import { HostPlaces } from '../../../shared/app/host-places.ts';
import { createSegments } from '../../../shared/app/segments.ts';
import type { App } from '../../../shared/app/app.ts';
import { createStore } from '../../../shared/store/store.ts';
import { markingRedactor } from '../../doubles/marking-redactor.ts';
import { noGrants, noOutgoing, noRemotes } from '../../../testing/no-remotes.ts';
import { noToolServers } from '../../../functions/no-tool-servers.ts';
import { scriptedAgents } from '../scripted-agents.ts';
import { allRuns } from '../../../testing/rows.ts';
import type { World } from '../world.ts';
import {
  artifactsComeBeforeTheState,
  journalTellsEachEventOnce,
  nothingShownIsLost,
  readsFollowOneLine,
  streamsAreStretches,
} from './answers.ts';
import { costsAreWhatWasUsed } from './costs.ts';
import { eachEventCountsOnce, eventsAreAsReported } from './events.ts';
import { everythingComesToRest } from './at-rest.ts';
import { viewAndArchiveAgree } from './archive.ts';
import { filesAreWhole } from './files.ts';
import { eachMatterIsToldOnce } from './notices.ts';
import { oneTaskPerMessage } from './messages.ts';
import { completedTaskHasItsResult, runEndsAsItsAgentDoes } from './outcomes.ts';
import { journalHoldsNoPrompt, redactedWordsAreNowhere, storedContentIsSealed } from './privacy.ts';
import { type Tale, taleOf } from './tale.ts';
import { webhookIsToldEverything } from './webhooks.ts';
import { workOf } from './work.ts';
import { delegationsHaveTheirTask, leftTasksWereCancelled } from './delegations.ts';
import {
  budgetIsWhatWasDone,
  reportSaysWhatHappened,
  resultsBelongToTheirCalls,
} from './transcript.ts';

/** An app that looks on: over the bare services, where nothing fails. */
function onlooker({ backend, blobs, services, clock, ids, settings }: World): App {
  const store = createStore({ backend, clock, ids, deadline: settings.transactionDeadline });
  return {
    ...services,
    blobs,
    clock,
    queue: { enqueue: () => Promise.resolve() },
    store,
    pausedAgents: createPausedAgents({ store, clock }),
    circuits: createCircuits({ store, clock, settings, log: services.log }),
    shards: createShards({ store, clock, settings }),
    agents: scriptedAgents(clock, () => Promise.resolve()),
    keys: createKeyRing(services.sealer, clock),
    segments: createSegments(),
    hostPlaces: new HostPlaces(clock, settings),
    idempotency: 'always',
    installation: { answer: 'metadata', audit: 'metadata' },
    redactor: markingRedactor,
    remotes: noRemotes,
    outgoing: noOutgoing,
    toolServers: noToolServers,
    grants: noGrants,
  };
}

/**
 * The first thing that is wrong with a run that is over; undefined when every guarantee was kept.
 */
export async function finalProblem(world: World, cancelled: boolean): Promise<string | undefined> {
  const { record, backend, options } = world;
  const problem =
    record.complaints[0] ??
    named(everythingComesToRest, world) ??
    named(storedContentIsSealed, world) ??
    named(filesAreWhole, world) ??
    named(eachMatterIsToldOnce, world);
  if (problem !== undefined) return problem;
  const faults = [...options.plan.values()];
  const app = onlooker(world);
  const miscounted = await costsAreWhatWasUsed(world, app);
  if (miscounted !== undefined) return `${costsAreWhatWasUsed.name}: ${miscounted}`;
  const tales: Tale[] = [];
  for (const run of allRuns(backend)) {
    const tale = await taleOf(app, backend, run);
    tales.push(tale);
    const wrong =
      named(journalTellsEachEventOnce, tale) ??
      named(artifactsComeBeforeTheState, tale) ??
      named(nothingShownIsLost, tale) ??
      named(readsFollowOneLine, tale, record) ??
      named(streamsAreStretches, tale, record) ??
      named(completedTaskHasItsResult, tale) ??
      named(runEndsAsItsAgentDoes, tale, faults, cancelled) ??
      named(journalHoldsNoPrompt, tale) ??
      named(redactedWordsAreNowhere, tale) ??
      named(webhookIsToldEverything, tale, world);
    if (wrong !== undefined) return wrong;
    const work = await workOf(app, world, run);
    const failed =
      named(resultsBelongToTheirCalls, work) ??
      named(budgetIsWhatWasDone, work) ??
      named(delegationsHaveTheirTask, work, world) ??
      named(leftTasksWereCancelled, work, world) ??
      named(reportSaysWhatHappened, work, tale) ??
      named(eachEventCountsOnce, work, world) ??
      named(eventsAreAsReported, work, tale);
    if (failed !== undefined) return failed;
    const differs = await viewAndArchiveAgree(world, app, tale);
    if (differs !== undefined) return `${viewAndArchiveAgree.name}: ${differs}`;
  }
  return named(oneTaskPerMessage, tales, record);
}

function named<A extends readonly unknown[]>(
  invariant: (...seen: A) => string | undefined,
  ...seen: A
): string | undefined {
  const problem = invariant(...seen);
  return problem && `${invariant.name}: ${problem}`;
}
