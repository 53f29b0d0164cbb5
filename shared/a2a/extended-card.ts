import type { CardFields } from '../agent/card-fields.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { cardOf, extendedFields, hasExtended, legacyCardOf } from './card.ts';
import { fail } from './failure.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The card that callers see who have proved who they are (section 3.1.11, 13.3), in the form of the
 * version that is spoken. Throws EdgeError where there is none, and for a caller who has shown
 * nothing where that is let in.
 */
export function extendedCard(asked: RequestContext, fields: CardFields): JsonObject {
  const { around, versions } = asked.cardAround();
  if (!hasExtended(fields, around))
    throw fail('EXTENDED_CARD_NOT_SUPPORTED', 'This agent has no extended agent card.');
  if (!asked.identity.authenticated) {
    const { challenge = '' } = around.security ?? {};
    const message = 'The extended card is for callers who prove who they are.';
    throw fail('UNAUTHENTICATED', message, { challenge });
  }
  const whole = extendedFields(fields);
  const legacy = asked.version === '0.3';
  const card = legacy ? legacyCardOf(whole, around) : cardOf(whole, around, versions);
  if (isJsonObject(card)) return card;
  throw new TypeError('a card is an object');
}
