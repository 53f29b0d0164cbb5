import type { z } from 'zod';
import { type Part, textOf } from '../../domain/message.ts';
import { scheduled, someParts, spanOf, toArtifact } from '../agent-context.ts';
import { agentFiles } from '../agent-files.ts';
import type { ArtifactInput } from '../artifact-input.ts';
import { toParts, type Words } from '../parts.ts';
import { approve } from './approve.ts';
import { ask } from './ask.ts';
import { type Around, Branch } from './branch.ts';
import { callRemote } from './call-remote.ts';
import { durationOf, timeOf } from './duration.ts';
import { runStep } from './run-step.ts';
import type { Scope } from './scope.ts';
import type { EventOptions, StepsContext } from './steps-context.ts';
import { waitForEvent } from './wait-for-event.ts';
import { waitUntil } from './wait-until.ts';

/** What one branch of a function that works in steps is given. */
export function contextOf(around: Around, scope: Scope): StepsContext {
  const { branches, course, segment } = around;
  const branch = new Branch(around, scope);
  const artifact = showingIn(branch);
  const { message } = course;
  return {
    taskId: segment.taskId,
    contextId: segment.contextId,
    message,
    text: textOf(message),
    caller: segment.caller,
    request: segment.request,
    ...scheduled(segment.taskId, message),
    signal: segment.signal,
    trace: spanOf(segment.span),
    // What JSON keeps of the value is what `Recordable` says of its type.
    step: (name, run, options) => runStep(branch, name, run, options) as never,
    sleep: (span) => waitUntil(branch, segment.now() + durationOf(span)),
    until: (time) => waitUntil(branch, timeOf(time, segment.now())),
    call: (remote, words) => callRemote(branch, remote, words),
    approve: (name, asked) => approve(branch, name, asked),
    // Without a schema it is a message, with one what fits it.
    ask: (question: Words, schema?: z.ZodType) => ask(branch, question, schema) as Promise<never>,
    // What it answers fits the schema that the agent declares for the name.
    event: (name: string, options?: EventOptions) => waitForEvent(branch, name, options),
    all: (given) => inBranches(around, branch, given),
    async status(words) {
      const parts = someParts(words, 'status');
      if (!scope.show().again) await segment.status(parts);
    },
    artifact,
    files: agentFiles(segment.folder, artifact),
    earlierTasks: () => segment.earlierTasks(),
    reject: async (reason) => branches.end({ kind: 'rejected', parts: toParts(reason, 'reason') }),
    tighten: (answer) => segment.tighten({ answer }),
  };
}

/** Every branch comes to its end before the first failure, in their order, is thrown. */
async function inBranches<T extends readonly unknown[]>(
  around: Around,
  branch: Branch,
  given: { readonly [K in keyof T]: (ctx: StepsContext) => Promise<T[K]> },
): Promise<T> {
  const { branches } = around;
  const asker = branch.asker();
  const scopes = branch.scope.fork(given.length);
  if ('now' in scopes) return branch.endAsMisfit(scopes, asker);
  try {
    const all = scopes.map((own, at) => {
      const run = given[at];
      return async () => {
        if (run === undefined) return undefined;
        const value: unknown = await run(contextOf(around, own));
        own.requireIdle();
        const left = own.left();
        return left === undefined ? value : branch.endAsMisfit(left);
      };
    });
    const ended = await branches.all(all);
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return ended.map((each) => (each.status === 'fulfilled' ? each.value : undefined)) as never;
  } finally {
    branch.scope.end();
  }
}

/**
 * What was shown before is not shown again. An artifact that is added to in a later segment is
 * stated anew with what it had: nothing else says that it still has that.
 */
function showingIn({ around: { segment }, scope }: Branch) {
  const parts = new Map<string, readonly Part[]>();
  const begun = new Set<string>();
  return async ({ append = false, lastChunk = !append, ...rest }: ArtifactInput): Promise<void> => {
    const { again, number } = scope.show();
    const chunk = toArtifact(rest, [...scope.path, number].join('-'));
    const { artifactId: id } = chunk;
    const before = append ? (parts.get(id) ?? []) : [];
    const all = [...before, ...chunk.parts];
    parts.set(id, all);
    if (again) return;
    const more = append && begun.has(id);
    begun.add(id);
    await segment.artifact(more ? chunk : { ...chunk, parts: all }, more, lastChunk);
  };
}
