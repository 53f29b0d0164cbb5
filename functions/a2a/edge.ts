import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import { offering } from '../../shared/a2a/offers.ts';
import { createBodyBudget } from '../../shared/http/body-budget.ts';
import type { SegmentLane } from '../../shared/app/segment/segment-lane.ts';
import type { App } from '../../shared/app/app.ts';
import { pollSooner } from '../../shared/app/delegation/poll-sooner.ts';
import type { GrpcPlace } from '../../shared/a2a/base-url.ts';
import { createOwnerRates } from '../../shared/app/limits/owner-rates.ts';
import { withOwnerRates } from '../../shared/app/limits/rated-access.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { Access } from '../../shared/ports/access.ts';
import type { Signer } from '../../shared/ports/signer.ts';
import { memoryRoom } from '../../shared/system/memory-room.ts';
import type { Published } from '../load-agents.ts';

export interface EdgeOptions {
  /** Who may call. */
  readonly access: Access;
  readonly v03: boolean;
  readonly baseUrl: string | undefined;
  readonly allowOrigin: readonly string[];
  readonly checkInputModes: boolean;
  /** Also speak what is drafted for A2A 1.1, to callers that ask for it. */
  readonly draft: boolean;
  /** Callers that ask are told what was done for their tasks. */
  readonly traceability: boolean;
  /** Keys that sign the cards. */
  readonly cardSigners?: readonly Signer[];
  /** Host names that it is called by; absent: any. */
  readonly hosts?: readonly string[] | undefined;
  /** A client of v0.3 was refused because only 1.0 is served. */
  readonly onLegacyRefused?: () => void;
  /** Aborted when the process is about to go. */
  readonly closing: AbortSignal;
  /**
   * The scheme that Google's front end saw is in X-Forwarded-Proto; elsewhere any client could have
   * written it.
   */
  readonly behindProxy: boolean;
  /** Where gRPC is spoken, for the card. */
  readonly grpc?: GrpcPlace | undefined;
  /** Where this process works on what it accepts. */
  readonly lane?: SegmentLane;
}

/**
 * What the A2A edge of a composed application is made of: every published agent, the first one at
 * the root, too. Every binding of a process shares it.
 */
export function edgeOf(app: App, agents: Published, options: EdgeOptions): A2AAppOptions {
  const { allowOrigin, baseUrl, behindProxy, checkInputModes, closing, draft, hosts, v03 } =
    options;
  const { access, cardSigners = [], grpc, onLegacyRefused, traceability } = options;
  // Pages that the public address serves are its own, whatever a proxy calls it by.
  const origins = baseUrl === undefined ? allowOrigin : [new URL(baseUrl).origin, ...allowOrigin];
  const hasRoom = memoryRoom(app.settings.memory);
  return {
    service: createTaskService(app, options.lane, { traceability }),
    agents: agents.all.map(({ card }) => offering(card, { draft, traceability })),
    defaultAgent: agents.first.name,
    settings: app.settings,
    bodies: createBodyBudget({
      held: app.settings.requestBodies,
      worked: app.settings.requestWork,
      // Memory that nothing uses is not always given back: who is alone is let in.
      room: (alone) => (alone && app.segments.size === 0) || hasRoom(),
    }),
    log: app.log,
    clock: app.clock,
    ...(app.tracer !== undefined && { tracer: app.tracer }),
    v03,
    access: { ...access, principalOf: withOwnerRates(access.principalOf, createOwnerRates(app)) },
    checkInputModes,
    cardSigners,
    guard: { origins, ...(hosts !== undefined && { hosts }) },
    ...(onLegacyRefused !== undefined && { onLegacyRefused }),
    onPush: (token) => pollSooner(app, token),
    closing,
    ...(grpc !== undefined && { grpc }),
    ...(behindProxy && { trustForwarded: 'proto' as const }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}
