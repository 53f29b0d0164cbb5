import { CEILINGS } from '../../shared/domain/ceiling.ts';

/** The commands, for the help of both command lines. */
export const MAINTENANCE_HELP = `  purge <task>              removes one task with everything that belongs to it, at once; one that is in use is left
  purge --due [--dry-run]   removes every task whose retention is over, or only counts them
  tighten --answer <level> [--audit <level>] [--agent <name>] [--dry-run]
                            tightens what may be kept of every run: ${CEILINGS.join(', ')}; never loosens
  rewrap                    wraps every data key with the newest key; can be stopped and begun again
  rotate-key                embedded only: puts a new key in front of the key file, then does rewrap
`;

/** Their names. */
export const MAINTENANCE: readonly string[] = ['purge', 'tighten', 'rewrap', 'rotate-key'];
