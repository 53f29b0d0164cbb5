import { AgentCard, type AgentInterface, canonicalizeAgentCard } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { canonicalAsServed } from '../domain/canonical-card.ts';
import type { JsonObject } from '../domain/json.ts';
import { isSignedByOneOf, type PublicJwk } from '../domain/jws.ts';

/** So many of a card are looked at; each costs a check by each key. */
const SIGNATURES = 10;

const legacyCompat = { enabled: true };
const resolver = new DefaultAgentCardResolver({ legacyCompat });

/**
 * A card that one of these keys signed, read as it was signed: what v0.3 calls by other names is
 * not covered by the signature, and left out. Undefined: none of them signed it. Throws at
 * nonsense.
 */
export function signedCardFromJson(
  raw: unknown,
  keys: readonly PublicJwk[],
): AgentCard | undefined {
  const card = AgentCard.fromJSON(raw);
  // Of the JSON: made of the SDK's own type, its form leaves the security schemes out.
  const forms = [canonicalizeAgentCard(raw as AgentCard), canonicalAsServed(raw as JsonObject)];
  const signed = card.signatures
    .slice(0, SIGNATURES)
    .some((signature) => forms.some((form) => isSignedByOneOf(keys, signature, form)));
  return signed ? card : undefined;
}

/** A card of v1.0 or v0.3. Throws what the SDK throws at nonsense. */
export function cardFromJson(raw: unknown): AgentCard {
  const card = resolver.normalizeAgentCard(raw);
  // A v1.0 card without security comes back as it was given, defaults missing.
  return card === raw ? AgentCard.fromJSON(raw) : card;
}

/**
 * The interfaces that we can speak to and that the guard lets us; v0.3 only where there is nothing
 * newer.
 */
export function usableInterfaces(
  { supportedInterfaces }: Pick<AgentCard, 'supportedInterfaces'>,
  mayUse: (url: string) => boolean,
): readonly AgentInterface[] {
  const usable = supportedInterfaces.filter(
    ({ protocolBinding, url }) =>
      /^(JSONRPC|HTTP\+JSON)$/i.test(protocolBinding) && typeof url === 'string' && mayUse(url),
  );
  const current = usable.filter(({ protocolVersion }) => /^1(\.\d+)*$/.test(protocolVersion));
  if (current.length > 0) return current;
  return usable.filter(({ protocolVersion }) => /^(0\.[3-9](\.\d+)*)?$/.test(protocolVersion));
}

/** A client for one call: the fetch knows which. */
export function clientFor(
  card: AgentCard,
  interfaces: readonly AgentInterface[],
  fetchImpl: typeof fetch,
): Promise<Client> {
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
  });
  const narrowed = { ...card, supportedInterfaces: [...interfaces], securitySchemes: {} };
  return factory.createFromAgentCard(narrowed);
}
