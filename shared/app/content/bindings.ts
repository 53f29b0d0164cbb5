import type { EntryDoc, RevisionDoc, ViewDoc } from '../records/documents.ts';
import type {
  DecisionDoc,
  PauseDoc,
  SendDoc,
  SignalDoc,
  StepDoc,
} from '../records/work-documents.ts';

/**
 * The clear fields of each document that never change while its content is what it is: sealed
 * content opens beside these values alone. The path, with its numbers, and whose it is are bound to
 * each envelope anyway.
 */
export type Bound = readonly (string | number | boolean | null)[];

export const boundRevision = ({
  state,
  at,
  announces,
}: Pick<RevisionDoc, 'state' | 'at' | 'announces'>): Bound => [state, at, announces];

export const boundView = (
  view: Pick<
    ViewDoc,
    | 'contextId'
    | 'state'
    | 'statusAt'
    | 'createdAt'
    | 'projectedRevision'
    | 'lastSeq'
    | 'scrubbedRevision'
    | 'pages'
  >,
): Bound => [
  view.contextId,
  view.state,
  view.statusAt,
  view.createdAt,
  view.projectedRevision,
  view.lastSeq,
  view.scrubbedRevision,
  // A list opens fifty views, and few have pages.
  ...(view.pages.length === 0 ? [] : view.pages.flatMap(({ bytes, object }) => [object, bytes])),
];

export const boundEntry = (
  entry: Pick<
    EntryDoc,
    'fromSeq' | 'toSeq' | 'revision' | 'state' | 'at' | 'epoch' | 'states' | 'own'
  >,
): Bound => [
  entry.fromSeq,
  entry.toSeq,
  entry.revision,
  entry.state,
  entry.at,
  entry.epoch,
  ...entry.states.flatMap(({ at, seq, state }) => [seq, state, at]),
  ...(entry.own === undefined ? [] : [entry.own.fromSeq, entry.own.announces]),
];

export const boundStep = ({
  step,
  kind,
  at,
  fence,
}: Pick<StepDoc, 'step' | 'kind' | 'at' | 'fence'>): Bound => [step, kind, at, fence];

export const boundSend = (
  send: Pick<
    SendDoc,
    'messageId' | 'owner' | 'remote' | 'callId' | 'contextId' | 'digest' | 'preparedAt' | 'replaces'
  >,
): Bound => [
  send.messageId,
  send.owner,
  send.remote,
  send.callId,
  send.contextId,
  send.digest,
  send.preparedAt,
  send.replaces,
];

export const boundPause = ({
  generation,
  kind,
  at,
  sendId,
}: Pick<PauseDoc, 'generation' | 'kind' | 'at' | 'sendId'>): Bound => [
  generation,
  kind,
  at,
  sendId,
];

export const boundDecision = ({
  id,
  generation,
  kind,
  by,
  mode,
  storedAt,
}: Pick<DecisionDoc, 'id' | 'generation' | 'kind' | 'by' | 'mode' | 'storedAt'>): Bound => [
  id,
  generation,
  kind,
  by,
  mode,
  storedAt,
];

export const boundSignal = ({
  number,
  name,
  at,
  by,
}: Pick<SignalDoc, 'number' | 'name' | 'at' | 'by'>): Bound => [number, name, at, by];
