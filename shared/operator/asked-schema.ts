import { z } from 'zod';
import type { Asked } from '../app/operators/asked.ts';

/** What a run asks a person, with the calls that an approval is about. */
export const asked = z
  .object({
    words: z.array(z.unknown()),
    calls: z.array(
      z.object({
        id: z.string(),
        tool: z.string(),
        summary: z.string(),
        arguments: z.unknown().optional(),
      }),
    ),
    schema: z.unknown().optional().meta({ description: 'JSON Schema of the data' }),
  })
  .meta({ description: 'only with the right `view`' });

export function askedJson(found: Asked): z.input<typeof asked> {
  return { ...found, words: [...found.words], calls: [...found.calls] };
}
