import type { z } from 'zod';
import type { inboxResponse } from '../shared/operator/inbox-schemas.ts';
import type { liveEvents } from '../shared/operator/live-schemas.ts';
import type { me } from '../shared/operator/me-operation.ts';
import type { runPage, runRow } from '../shared/operator/run-schemas.ts';
import type { statusResponse } from '../shared/operator/status-schemas.ts';
import type { timeline } from '../shared/operator/timeline-schemas.ts';

/** Answers of the operators' API as they come: of the very schemas that the server checks. */
export type Me = z.output<typeof me>;
export type Status = z.output<typeof statusResponse>;
export type RunRow = z.output<typeof runRow>;
export type RunPage = z.output<typeof runPage>;
export type Timeline = z.output<typeof timeline>;
export type Inbox = z.output<typeof inboxResponse>;
export type LiveEvents = z.output<typeof liveEvents>;

/** `GET /runs/{id}/trail`: steps with what they were of, while and after the run. */
export interface Trail {
  readonly level: string;
  readonly keptUntil?: string;
  readonly steps: readonly {
    readonly n: number;
    readonly kind: string;
    readonly at: string;
    readonly name?: string;
    readonly effect?: string;
    readonly startedAt?: string;
    readonly tookMs?: number;
    readonly attempt?: number;
    readonly status?: string;
    readonly error?: { readonly class: string };
    readonly model?: string;
    readonly calls?: readonly { readonly name?: string }[];
    readonly content?: unknown;
  }[];
}
