import { isJsonObject, type Json } from '../../domain/json.ts';
import type { Remote } from '../../domain/remote.ts';
import { partToJson } from '../../domain/stored-content.ts';
import { someParts } from '../agent-context.ts';
import type { Words } from '../parts.ts';
import type { Branch } from './branch.ts';
import type { Taken } from './branches.ts';
import { holdFor } from './hold.ts';
import { idOf, resultOf } from './recorded.ts';
import type { RemoteAnswer } from './steps-context.ts';

const DECLINED: RemoteAnswer = { status: 'declined', message: [], artifacts: [] };

/**
 * The delegation of a model's call: committed before it leaves (G14), and the run is suspended
 * while it waits (G10). A remote that needs an approval for each message gets none without.
 */
export function callRemote(branch: Branch, name: string, words: Words): Promise<RemoteAnswer> {
  const { branches, course, remotes, segment } = branch.around;
  const remote = remotes.find((each) => each.name === name);
  if (remote === undefined) throw new TypeError(unknown(name, remotes));
  const parts = someParts(words, 'message');
  const details = { message: parts.map(partToJson) };
  return branch.operation('call', name, async (operation, recorded) => {
    if (recorded?.result !== undefined) return answerOf(recorded.result.value);
    await branch.sameAsRecorded(operation, recorded, details);
    const { answer } = recorded ?? {};
    const callId = idOf(operation.path);
    if (answer?.kind === 'decision' && answer.decision === 'deny') {
      course.defer({ step: resultOf(callId, { status: 'declined' }, 'error') });
      return DECLINED;
    }
    if (!segment.transcript.delegates) return branches.end({ kind: 'retry', error: new NotYet() });
    if (recorded === undefined) await branch.record(operation, details, 'remote');
    const take = async (): Promise<Taken<RemoteAnswer>> => {
      await course.flush();
      const outcome = await segment.transcript.delegate({ callId, remote, parts });
      if (outcome.kind !== 'answered') return { kind: 'ends', ending: outcome };
      course.note(outcome.step);
      return { kind: 'goes on', value: answerOf(outcome.step.value) };
    };
    const approved = !remote.approval || answer !== undefined;
    return branches.wait(
      { kind: 'other', path: operation.path },
      approved ? take : () => holdFor(branch, operation, details, remote.description),
    );
  });
}

/** Functions of an older release could not read the run any more. */
class NotYet extends Error {
  constructor() {
    super('remote agents may not be asked yet: npm run operate -- raise-format');
    this.name = 'NotYet';
  }
}

function unknown(name: string, remotes: readonly Remote[]): string {
  const names = remotes.map((each) => each.name).join(', ');
  return `call(${JSON.stringify(name)}): remotes has none of that name; it has ${names || 'none'}`;
}

function answerOf(value: Json): RemoteAnswer {
  const { artifacts, message, note, reason, status } = isJsonObject(value) ? value : {};
  // A message that was not taken, or did not get there, has a reason in the place of a note.
  const words = note ?? reason;
  return {
    status: typeof status === 'string' ? status : 'unusable',
    message: listOf(message),
    artifacts: listOf(artifacts),
    ...(typeof words === 'string' && { note: words }),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list;
}
