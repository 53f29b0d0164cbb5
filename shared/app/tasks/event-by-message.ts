import { EVENTS_EXTENSION } from '../../domain/signal.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import type { Message } from '../../domain/message.ts';
import { invalid, isRefused, type Refused } from '../../domain/refusal.ts';
import { revision } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { acceptedBy } from '../records/receipt.ts';
import type { Accepted, SendRequest } from '../service.ts';
import { deliverSignal } from '../signals/deliver-signal.ts';
import { webhookWith } from '../webhooks/with-message.ts';

const AT = `message.metadata["${EVENTS_EXTENSION}"]`;

/** An event in a message, and the part that holds its data. */
export interface EventMessage {
  readonly name: string;
  readonly data: Json;
  readonly part: string;
}

/**
 * A message whose metadata have the key of the extension is an event, and never an answer or a
 * decision.
 */
export function eventIn({ metadata, parts }: Message): EventMessage | Refused | undefined {
  const said = metadata?.[EVENTS_EXTENSION];
  if (said === undefined) return undefined;
  if (!isJsonObject(said)) return invalid(AT, 'must be an object with the name of the event');
  const { name, ...others } = said;
  if (typeof name !== 'string') return invalid(`${AT}.name`, 'must be the name of an event');
  const [other] = Object.keys(others);
  if (other !== undefined) return invalid(`${AT}.${other}`, 'is not known');
  const [part, more] = parts;
  if (part !== undefined && more === undefined) {
    if ('data' in part) return { name, data: part.data, part: 'message.parts[0].data' };
    if ('text' in part) return { name, data: part.text, part: 'message.parts[0].text' };
  }
  return invalid('message.parts', 'must be one part, with the data of the event or its text');
}

/**
 * Delivers it to the task, whatever that is at. It is no part of the history: no one asked, and the
 * function takes it when it waits for it. What the caller waits for is the state that the task
 * comes to rest in, or rests in already.
 */
export async function eventByMessage(
  app: App,
  run: Run,
  request: SendRequest,
  { data, name, part }: EventMessage,
): Promise<Accepted | Refused> {
  const webhook = webhookWith(app, run, request);
  const unfit = webhook.objection(run);
  if (unfit !== undefined) return unfit;
  const id = `message ${request.message.messageId}`;
  const taken = await deliverSignal(
    app,
    run,
    { name, data, id },
    { kind: 'owner' },
    {
      along: webhook,
      fields: { name: `${AT}.name`, data: part, id: 'message.messageId' },
    },
  );
  if (isRefused(taken)) return taken;
  return acceptedBy({ ...taken.run, revision: revision(taken.run.revision - 1) });
}
