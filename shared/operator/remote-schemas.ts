import { z } from 'zod';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const circuit = component(
  'Circuit',
  z.object({
    remote: z.string(),
    openedAt: instant,
    openUntil: instant.meta({
      description: 'then one call is let through; if it is answered, all are',
    }),
    faults: z.number().int().meta({ description: 'failed calls in a row' }),
    reason: z.string().meta({ description: 'why the last one failed' }),
  }),
);

export const remoteRow = component(
  'RemoteRow',
  z.object({
    remote: z.string(),
    agents: z.array(z.string()).meta({ description: 'that declare a remote of this name' }),
    circuits: z.array(circuit).meta({
      description: 'of those of this name that are left alone just now; one for each card',
    }),
  }),
);

export const remotePage = component('RemotePage', z.object({ remotes: z.array(remoteRow) }));
