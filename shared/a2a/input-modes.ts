import type { CardFields } from '../agent/card-fields.ts';
import type { Part } from '../domain/message.ts';
import { fail } from './failure.ts';

/**
 * Throws for a part of a media type that neither the agent nor a skill of it takes (section 3.1.1).
 */
export function checkInputModes(card: CardFields, parts: readonly Part[]): void {
  const accepted = [
    ...card.defaultInputModes,
    ...card.skills.flatMap((skill) => skill.inputModes ?? []),
  ];
  for (const [index, part] of parts.entries()) {
    const type = typeOf(part);
    if (type === undefined || accepted.some((mode) => covers(mode, type))) continue;
    const field = `message.parts[${index}].mediaType`;
    const description = `${JSON.stringify(type.slice(0, 100))} is not among ${accepted.join(', ')}`;
    throw fail('CONTENT_TYPE_NOT_SUPPORTED', `${field}: ${description}`, {
      violations: [{ field, description }],
    });
  }
}

function typeOf(part: Part): string | undefined {
  if (part.mediaType !== undefined) return part.mediaType.split(';')[0]?.trim().toLowerCase();
  if ('text' in part) return 'text/plain';
  return 'data' in part ? 'application/json' : undefined;
}

function covers(mode: string, type: string): boolean {
  const wanted = mode.toLowerCase();
  if (wanted === '*/*' || wanted === '*' || wanted === type) return true;
  // `text` is what v0.3 agents declared for any text.
  return wanted.endsWith('/*')
    ? type.startsWith(wanted.slice(0, -1))
    : type.startsWith(`${wanted}/`);
}
