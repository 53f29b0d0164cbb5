/** A part of a message or of an artifact, as A2A has it on the wire. */
export interface WirePart {
  readonly text?: string;
  readonly data?: unknown;
  readonly raw?: string;
  readonly url?: string;
  readonly filename?: string;
  readonly mediaType?: string;
}

interface WireMessage {
  readonly parts?: readonly WirePart[];
}

interface WireStatus {
  readonly state: string;
  readonly message?: WireMessage;
}

interface WireArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly parts?: readonly WirePart[];
}

/** A StreamResponse of A2A 1.0: one of these. */
export interface StreamResponse {
  readonly task?: {
    readonly id: string;
    readonly contextId: string;
    readonly status: WireStatus;
    readonly artifacts?: readonly WireArtifact[];
  };
  readonly message?: WireMessage & { readonly contextId?: string };
  readonly statusUpdate?: { readonly status: WireStatus };
  readonly artifactUpdate?: { readonly artifact: WireArtifact; readonly append?: boolean };
}

/** One thing that was said or came. */
export type Line =
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'you' | 'agent'; readonly parts: readonly WirePart[] }
  | {
      readonly kind: 'artifact';
      readonly id: string;
      readonly name: string;
      readonly parts: readonly WirePart[];
    };

/** What an operator and an agent said to each other so far. */
export interface Conversation {
  readonly task?: string;
  readonly context?: string;
  /** Of the task, without its prefix. */
  readonly state?: string;
  readonly lines: readonly Line[];
}

export const said = (before: Conversation, parts: readonly WirePart[]): Conversation => ({
  ...before,
  lines: [...before.lines, { kind: 'you', parts }],
});

/** The conversation with what came. Of a task that is known, what is not known of it is told. */
export function heard(before: Conversation, response: StreamResponse): Conversation {
  const { artifactUpdate, message, statusUpdate, task } = response;
  if (task !== undefined) {
    const known = { ...before, task: task.id, context: task.contextId };
    const same = before.task === task.id;
    const { artifacts = [], status } = task;
    const has = ({ artifactId }: WireArtifact): boolean =>
      same && before.lines.some((line) => line.kind === 'artifact' && line.id === artifactId);
    return artifacts
      .filter((artifact) => !has(artifact))
      .reduce<Conversation>(
        (all, artifact) => withArtifact(all, artifact, false),
        same && stateOf(status) === before.state ? known : withStatus(known, status),
      );
  }
  if (statusUpdate !== undefined) return withStatus(before, statusUpdate.status);
  if (artifactUpdate !== undefined)
    return withArtifact(before, artifactUpdate.artifact, artifactUpdate.append === true);
  if (message === undefined) return before;
  const { contextId, parts = [] } = message;
  return {
    ...before,
    ...(contextId !== undefined && { context: contextId }),
    lines: [...before.lines, { kind: 'agent', parts }],
  };
}

const stateOf = ({ state }: WireStatus): string => state.replace(/^TASK_STATE_/, '');

function withStatus(before: Conversation, status: WireStatus): Conversation {
  const state = stateOf(status);
  const parts = status.message?.parts ?? [];
  const changed: readonly Line[] = state === before.state ? [] : [{ kind: 'state', state }];
  const told: readonly Line[] = parts.length === 0 ? [] : [{ kind: 'agent', parts }];
  return { ...before, state, lines: [...before.lines, ...changed, ...told] };
}

/** What is added to an artifact stands where the artifact does. */
function withArtifact(
  before: Conversation,
  { artifactId: id, name = 'artifact', parts = [] }: WireArtifact,
  append: boolean,
): Conversation {
  const at = before.lines.findLastIndex((line) => line.kind === 'artifact' && line.id === id);
  const earlier = before.lines[at];
  if (!append || earlier?.kind !== 'artifact')
    return { ...before, lines: [...before.lines, { kind: 'artifact', id, name, parts }] };
  const whole: Line = { ...earlier, parts: joined(earlier.parts, parts) };
  return { ...before, lines: before.lines.with(at, whole) };
}

/** Text that comes in pieces is one text. */
function joined(before: readonly WirePart[], more: readonly WirePart[]): readonly WirePart[] {
  const [last, first] = [before.at(-1), more[0]];
  if (last?.text === undefined || first?.text === undefined) return [...before, ...more];
  return [...before.slice(0, -1), { ...last, text: last.text + first.text }, ...more.slice(1)];
}

/** The task is over: what is said next begins another one in its context. */
export const isOver = ({ state }: Conversation): boolean =>
  state === undefined || ['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'].includes(state);
