import type { CardFields } from '../agent/card-fields.ts';
import type { Security, SecurityScheme } from '../ports/access.ts';
import { withoutDraft } from './draft.ts';
import type { Version } from './version.ts';

/** What of the deployment a card tells. */
export interface CardAround {
  /** Of the two bindings over HTTP; absent where the request does not say it. */
  readonly url?: string | undefined;
  readonly grpc?: { readonly url: string; readonly tenant?: string } | undefined;
  /** How callers prove who they are; absent: they need not. */
  readonly security?: Security | undefined;
}

/** The agent card as ProtoJSON (section 4.4.1, 8.3): 1.0 before 0.3, which gRPC does not speak. */
export function cardOf(
  fields: CardFields,
  around: CardAround,
  versions: readonly Version[],
): object {
  const { security } = around;
  const { name, displayName, description, version, skills, extensions = [] } = fields;
  const { defaultInputModes, defaultOutputModes, provider, documentationUrl, iconUrl } = fields;
  return defined({
    name: displayName ?? name,
    description,
    supportedInterfaces: versions.flatMap((spoken) => interfacesOf(around, spoken)),
    provider,
    version,
    documentationUrl,
    iconUrl,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: hasExtended(fields, around),
      ...(extensions.length === 0 ? {} : { extensions }),
    },
    defaultInputModes,
    defaultOutputModes,
    skills: skills.map(skillOf),
    ...(security && {
      securitySchemes: mapped(security, schemeOf),
      securityRequirements: security.alternatives.map((names) => ({
        schemes: Object.fromEntries(names.map((each) => [each, { list: [] }])),
      })),
    }),
  });
}

/**
 * The card that a v0.3 client reads (its section 5.5), with the 1.0 interfaces inside for clients
 * that know both.
 */
export function legacyCardOf(fields: CardFields, around: CardAround): object {
  const { security, url } = around;
  const { name, displayName, description, version, skills } = fields;
  const { extensions = [] } = withoutDraft(fields);
  const { defaultInputModes, defaultOutputModes, provider, documentationUrl, iconUrl } = fields;
  return defined({
    protocolVersion: '0.3.0',
    name: displayName ?? name,
    description,
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: ['JSONRPC', 'HTTP+JSON'].map((transport) => ({ url, transport })),
    supportedInterfaces: interfacesOf(around, '1.0'),
    provider,
    version,
    documentationUrl,
    iconUrl,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      ...(extensions.length === 0 ? {} : { extensions }),
    },
    defaultInputModes,
    defaultOutputModes,
    skills: skills.map(skillOf),
    ...(security && {
      securitySchemes: mapped(security, legacySchemeOf),
      security: security.alternatives.map((names) =>
        Object.fromEntries(names.map((each) => [each, []])),
      ),
    }),
    supportsAuthenticatedExtendedCard: hasExtended(fields, around),
  });
}

function mapped({ schemes }: Security, of: (scheme: SecurityScheme) => object): object {
  return Object.fromEntries(Object.entries(schemes).map(([name, each]) => [name, of(each)]));
}

/** A2A 1.0 section 4.5: the kind is the member's name. */
function schemeOf(scheme: SecurityScheme): object {
  const { description } = scheme;
  switch (scheme.kind) {
    case 'apiKey':
      return { apiKeySecurityScheme: { description, location: 'header', name: scheme.header } };
    case 'bearer':
      return {
        httpAuthSecurityScheme: { description, scheme: 'Bearer', bearerFormat: scheme.format },
      };
    case 'openId':
      return { openIdConnectSecurityScheme: { description, openIdConnectUrl: scheme.url } };
  }
}

/** A2A 0.3 section 5.5.3: as OpenAPI has it. */
function legacySchemeOf(scheme: SecurityScheme): object {
  const { description } = scheme;
  switch (scheme.kind) {
    case 'apiKey':
      return { type: 'apiKey', description, in: 'header', name: scheme.header };
    case 'bearer':
      return { type: 'http', description, scheme: 'Bearer', bearerFormat: scheme.format };
    case 'openId':
      return { type: 'openIdConnect', description, openIdConnectUrl: scheme.url };
  }
}

function interfacesOf({ grpc, url }: CardAround, protocolVersion: Version): readonly object[] {
  const bindings = url === undefined ? [] : ['JSONRPC', 'HTTP+JSON'];
  const shared = bindings.map((protocolBinding) => ({
    url,
    protocolBinding,
    protocolVersion,
  }));
  if (grpc === undefined || protocolVersion === '0.3') return shared;
  return [...shared, { ...grpc, protocolBinding: 'GRPC', protocolVersion }];
}

/** Known callers may see more of the agent, where callers can be known. */
export function hasExtended({ extended }: CardFields, { security }: CardAround): boolean {
  return extended !== undefined && security !== undefined;
}

/** What such callers see. */
export function extendedFields(fields: CardFields): CardFields {
  const { description = fields.description, skills = [] } = fields.extended ?? {};
  return { ...fields, description, skills: [...fields.skills, ...skills] };
}

function skillOf(skill: CardFields['skills'][number]): object {
  const { id, name, description, tags, examples, inputModes, outputModes } = skill;
  return defined({ id, name, description, tags, examples, inputModes, outputModes });
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
