import { cardOf, extendedFields, hasExtended } from '../shared/a2a/card.ts';
import { offering, type Offers } from '../shared/a2a/offers.ts';
import type { GrpcPlace } from '../shared/a2a/base-url.ts';
import { SignedCards } from '../shared/a2a/signed-cards.ts';
import { tenantOfAgent } from '../shared/a2a/grpc-place.ts';
import { isJsonObject, type JsonObject } from '../shared/domain/json.ts';
import type { AgentCards } from '../shared/operator/operation.ts';
import type { Security } from '../shared/ports/access.ts';
import type { Signer } from '../shared/ports/signer.ts';
import type { Published } from './load-agents.ts';

export interface CardSource extends Offers {
  /** Where callers reach the agents; undefined: not known here. */
  readonly url: string | undefined;
  readonly v03: boolean;
  /** `elsewhere`: only the edge knows it. */
  readonly security: Security | undefined | 'elsewhere';
  readonly grpc?: GrpcPlace | undefined;
  readonly signers?: readonly Signer[];
}

/** Cards as callers get them from the agents' own paths, for operators. */
export function agentCards(agents: Published, source: CardSource): AgentCards {
  const { grpc, signers = [], url: base, v03 } = source;
  const security = source.security === 'elsewhere' ? undefined : source.security;
  const missing =
    source.security === 'elsewhere'
      ? ['securitySchemes', 'securityRequirements', 'signatures']
      : [];
  const versions = v03 ? (['1.0', '0.3'] as const) : (['1.0'] as const);
  const signed =
    signers.length === 0 || base === undefined ? undefined : new SignedCards(signers, base);
  return async (agent) => {
    const published = agents.all.find(({ name }) => name === agent)?.card;
    if (published === undefined) return undefined;
    const fields = offering(published, source);
    const url = base === undefined ? undefined : `${base.replace(/\/+$/, '')}/agents/${agent}`;
    const at = grpcAt(grpc, url);
    const around = {
      url,
      security,
      grpc: at === undefined ? undefined : { url: at, tenant: tenantOfAgent(agent) },
    };
    const card = cardOf(fields, around, versions);
    return {
      ...(url !== undefined && { url: `${url}/.well-known/agent-card.json` }),
      card: signed === undefined ? asJson(card) : await signed.signed(card),
      ...(hasExtended(fields, around) && {
        extended: asJson(cardOf(extendedFields(fields), around, versions)),
      }),
      missing,
    };
  };
}

/** A port of this machine is named at the host of the agents, as the edge does it. */
function grpcAt(grpc: GrpcPlace | undefined, url: string | undefined): string | undefined {
  if (grpc === undefined || 'url' in grpc) return grpc?.url;
  return url === undefined ? undefined : `${new URL(url).hostname}:${grpc.port}`;
}

/** As it goes over the wire: without what is undefined. */
function asJson(card: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(card));
  if (isJsonObject(plain)) return plain;
  throw new TypeError('a card is an object');
}
