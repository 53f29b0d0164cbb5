import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';
import { runRow } from './run-schemas.ts';

/** The events of `GET /live`, by name. */
export const liveEvents = component(
  'LiveEvents',
  z.object({
    hello: z
      .object({ at: instant, build: z.string().optional() })
      .optional()
      .meta({ description: 'first; `build` is of the console that this server has' }),
    runs: z.array(runRow).optional().meta({ description: 'runs that changed, as they are now' }),
    reset: z
      .object({ at: instant })
      .optional()
      .meta({ description: 'more changed than is told: read anew what you show' }),
    away: z
      .object({ at: instant })
      .optional()
      .meta({ description: 'the store does not answer; what you show may be old' }),
  }),
);
