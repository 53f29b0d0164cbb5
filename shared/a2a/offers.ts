import type { CardExtension, CardFields } from '../agent/card-fields.ts';
import { TIMESTAMPS, TRACEABILITY } from '../domain/extensions.ts';
import { withDraft } from './draft.ts';

/** What the server offers beside what an agent's author declares, to callers that ask for it. */
export interface Offers {
  /** What is drafted for A2A 1.1. */
  readonly draft?: boolean;
  /** What was done for a task. Times are always offered: they tell nothing new. */
  readonly traceability?: boolean;
}

/** The card of an agent with what the server carries out; what an author declares stays. */
export function offering(
  card: CardFields,
  { draft = false, traceability = false }: Offers,
): CardFields {
  const { extensions: declared = [] } = card;
  const own: readonly CardExtension[] = [...TIMESTAMPS, ...(traceability ? [TRACEABILITY] : [])];
  const more = own.filter(({ uri }) => !declared.some((each) => each.uri === uri));
  const offered = { ...card, extensions: [...declared, ...more] };
  return draft ? withDraft(offered) : offered;
}
