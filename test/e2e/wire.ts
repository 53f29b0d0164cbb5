/** The wire as the cases look at it: ProtoJSON of A2A 1.0, absent where empty. */
export interface WirePart {
  readonly text?: string;
  readonly raw?: string;
  readonly url?: string;
  readonly data?: unknown;
  readonly mediaType?: string;
}

export interface WireMessage {
  readonly messageId: string;
  readonly role: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly parts: readonly WirePart[];
}

export interface WireArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly parts: readonly WirePart[];
}

export interface WireStatus {
  readonly state: string;
  readonly timestamp: string;
  readonly message?: WireMessage;
}

export interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly WireMessage[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface WirePage {
  readonly tasks: readonly WireTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

export type WireEvent =
  | { readonly task: WireTask }
  | { readonly message: WireMessage }
  | {
      readonly statusUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly status: WireStatus;
      };
    }
  | {
      readonly artifactUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly artifact: WireArtifact;
        readonly append?: boolean;
        readonly lastChunk?: boolean;
      };
    };

/** Without its prefix. */
export function stateOf(holder: { readonly status: WireStatus }): string {
  return holder.status.state.replace('TASK_STATE_', '');
}

const TERMINAL: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']);

export function isTerminal(state: string): boolean {
  return TERMINAL.has(state);
}

export function textOf(
  holder: { readonly parts: readonly WirePart[] } | undefined,
): string | undefined {
  return holder?.parts.map((part) => part.text ?? '').join('');
}

export function artifactIds(task: WireTask): readonly string[] {
  return (task.artifacts ?? []).map((artifact) => artifact.artifactId);
}

/**
 * The state, or the artifact, that an event is about: `WORKING`, `artifact step-1`,
 * `task SUBMITTED`.
 */
export function nameOf(event: WireEvent): string {
  if ('task' in event) return `task ${stateOf(event.task)}`;
  if ('message' in event) return 'message';
  if ('statusUpdate' in event) return stateOf(event.statusUpdate);
  return `artifact ${event.artifactUpdate.artifact.artifactId}`;
}
