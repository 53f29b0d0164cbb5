import { z } from 'zod';
import type { Part } from '../domain/message.ts';
import type { Remote } from '../domain/remote.ts';
import type { ToolCall } from '../domain/step.ts';
import type { StepTold } from '../domain/step-facts.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ReadyCall, Tool } from './define-tool.ts';
import { schemaOf } from './json-schema.ts';
import type { ToolSpec } from '../models/model.ts';
import { unfit, type Unfit } from './unfit.ts';

/** What a model may call, by name. */
export type Offer =
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'remote'; readonly remote: Remote };
export type Offers = ReadonlyMap<string, Offer>;

export function offersOf(tools: readonly Tool[], remotes: readonly Remote[]): Offers {
  return new Map<string, Offer>([
    ...tools.map((tool): [string, Offer] => [tool.name, { kind: 'tool', tool }]),
    ...remotes.map((remote): [string, Offer] => [remote.name, { kind: 'remote', remote }]),
  ]);
}

export function withoutRemotes(offers: Offers): Offers {
  return new Map([...offers].filter(([, { kind }]) => kind !== 'remote'));
}

/** What each remote agent is called with. */
const order = z.object({
  message: z.string().min(1).describe('All that it needs to know, in words.'),
  data: z.looseObject({}).optional().describe('What it needs to know as data.'),
});
const orderSchema = schemaOf(order, 'an order');

export function specsOf(offers: Offers): readonly ToolSpec[] {
  return [...offers.values()].map((offer) => {
    if (offer.kind === 'remote') {
      const { description, name } = offer.remote;
      return { name, description, parameters: orderSchema };
    }
    const { description, name, parameters } = offer.tool;
    return { name, description, parameters };
  });
}

/** The calls, each with the digest of its tool as it is offered now, if that can change. */
export function asOffered(calls: readonly ToolCall[], offers: Offers): readonly ToolCall[] {
  return calls.map((call) => {
    const digest = digestIn(offers, call.tool);
    return digest === undefined ? call : { ...call, offer: digest };
  });
}

/**
 * What is known of these calls without their words: a name that is not offered may be any words.
 */
export function calledOf(
  calls: readonly Pick<ToolCall, 'tool'>[],
  offers: Offers,
): NonNullable<StepTold['calls']> {
  return calls.map(({ tool: name }) => {
    const offer = offers.get(name);
    if (offer === undefined) return {};
    return { name, effect: offer.kind === 'remote' ? 'remote' : offer.tool.effect };
  });
}

function digestIn(offers: Offers, name: string): string | undefined {
  const offer = offers.get(name);
  return offer?.kind === 'tool' ? offer.tool.digest : undefined;
}

/** A call that may be carried out. */
export type Ready =
  | { readonly kind: 'tool'; readonly tool: Tool; readonly call: ReadyCall }
  | { readonly kind: 'remote'; readonly remote: Remote; readonly parts: readonly Part[] };

const CHANGED =
  'The tool has changed since it was called. The call was not carried out; look at the tool again.';

/** A call, judged by the tools that exist now. */
export function readyOf(
  { arguments: given, offer: offered, problem, tool }: ToolCall,
  offers: Offers,
): Ready | Unfit {
  if (problem !== undefined) return unfit(problem);
  const offer = offers.get(tool);
  if (offer === undefined) return unfit(`There is no tool called ${JSON.stringify(tool)}.`);
  if (offer.kind === 'remote') {
    const parsed = order.safeParse(given);
    if (!parsed.success) return unfit('A message in words is needed, and data only as an object.');
    const { data, message } = parsed.data;
    const parts: readonly Part[] = [
      { text: message },
      // JSON already: it came from the transcript.
      ...(data === undefined ? [] : [{ data: data as JsonObject }]),
    ];
    return { kind: 'remote', remote: offer.remote, parts };
  }
  if (offered !== offer.tool.digest) return unfit(CHANGED);
  const call = offer.tool.ready(given);
  return call.kind === 'unfit' ? call : { kind: 'tool', tool: offer.tool, call };
}

export function needsApproval(ready: Ready): boolean {
  return ready.kind === 'remote' ? ready.remote.approval : ready.call.approval;
}

/** What the tool's own functions threw while the call was made ready. */
export function thrownBy(ready: Ready): readonly unknown[] {
  return ready.kind === 'remote' ? [] : ready.call.thrown;
}

/** Public: of its arguments only what the tool's author says (G4). */
export function summaryOf(ready: Ready): string {
  return ready.kind === 'remote' ? ready.remote.description : ready.call.summary;
}
