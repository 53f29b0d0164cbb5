import type { Decision } from '../../domain/decision.ts';
import { invalid, type Refused, refused } from '../../domain/refusal.ts';
import type { WaitingForPerson } from '../../domain/run.ts';
import type { PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import { actorOf, type Decider, mayDecide } from './decider.ts';
import { readPause } from '../content/read-pause.ts';
import { misfit } from '../content/question-schema.ts';

/**
 * The place of a decision's field in what the caller sent: `` for the decision itself,
 * `.input.count` for a value in it.
 */
export type FieldName = (path: string) => string;

/**
 * What a decision must pass before it is stored: the decider's current permission, its kind, the
 * digest of what is held, and for an input the schema that was asked for (G18). The transaction
 * checks that its pause is still pending.
 */
export async function checkDecision(
  app: App,
  run: WaitingForPerson,
  decider: Decider,
  decision: Decision,
  field: FieldName,
): Promise<Refused | PauseRequest> {
  const forbidden = await mayDecide(app, run, decider.kind, actorOf(decider), decision.kind);
  if (forbidden !== undefined) return forbidden;
  const approval = run.status === 'waiting_for_approval';
  if (approval === (decision.kind === 'input')) {
    const wanted = approval ? 'an approval: approve or deny' : 'an input: input';
    return invalid(field('.kind'), `the task waits for ${wanted}`);
  }
  if (decision.kind !== 'input' && decision.input !== undefined)
    return invalid(field('.input'), 'goes with an input alone');
  if (decision.digest !== run.digest) return otherTurn(run, decision, field);
  const request = await readPause(app, run);
  return wrongInput(request, decision, field) ?? request;
}

function otherTurn(run: WaitingForPerson, { digest }: Decision, field: FieldName): Refused {
  if (digest === undefined) return invalid(field('.digest'), 'is required');
  const why =
    run.digest === undefined
      ? 'nothing is held that a digest could name; leave it out'
      : 'is not the digest of what is held; read the task again and decide about that';
  return refused('DECISION_MISMATCH', `${field('.digest')}: ${why}`, { field: field('.digest') });
}

function wrongInput(
  request: PauseRequest,
  { kind, input }: Decision,
  field: FieldName,
): Refused | undefined {
  if (kind !== 'input') return undefined;
  if (input === undefined) return invalid(field('.input'), 'is required');
  const schema = request.kind === 'input' ? request.schema : undefined;
  return schema === undefined ? undefined : misfit(schema, input, field('.input'));
}
