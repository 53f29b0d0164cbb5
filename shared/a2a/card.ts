import type { CardFields } from '../agent/card-fields.ts';
import type { Version } from './version.ts';

/**
 * The agent card as ProtoJSON (section 4.4.1, 8.3): both bindings share one URL, 1.0 before 0.3.
 */
export function cardOf(fields: CardFields, url: string, versions: readonly Version[]): object {
  const { name, displayName, description, version, skills, extensions = [] } = fields;
  const { defaultInputModes, defaultOutputModes, provider, documentationUrl, iconUrl } = fields;
  return defined({
    name: displayName ?? name,
    description,
    supportedInterfaces: versions.flatMap((protocolVersion) =>
      ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({
        url,
        protocolBinding,
        protocolVersion,
      })),
    ),
    provider,
    version,
    documentationUrl,
    iconUrl,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      ...(extensions.length === 0 ? {} : { extensions }),
    },
    defaultInputModes,
    defaultOutputModes,
    skills: skills.map(skillOf),
  });
}

/**
 * The card that a v0.3 client reads (its section 5.5), with the 1.0 interfaces inside for clients
 * that know both.
 */
export function legacyCardOf(fields: CardFields, url: string): object {
  const { name, displayName, description, version, skills, extensions = [] } = fields;
  const { defaultInputModes, defaultOutputModes, provider, documentationUrl, iconUrl } = fields;
  return defined({
    protocolVersion: '0.3.0',
    name: displayName ?? name,
    description,
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: ['JSONRPC', 'HTTP+JSON'].map((transport) => ({ url, transport })),
    supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({
      url,
      protocolBinding,
      protocolVersion: '1.0',
    })),
    provider,
    version,
    documentationUrl,
    iconUrl,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      ...(extensions.length === 0 ? {} : { extensions }),
    },
    defaultInputModes,
    defaultOutputModes,
    skills: skills.map(skillOf),
    supportsAuthenticatedExtendedCard: false,
  });
}

function skillOf(skill: CardFields['skills'][number]): object {
  const { id, name, description, tags, examples, inputModes, outputModes } = skill;
  return defined({ id, name, description, tags, examples, inputModes, outputModes });
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
