import { CEILINGS } from '../../shared/domain/ceiling.ts';

/** The commands, for the help of both command lines. */
export const MAINTENANCE_HELP = `  purge <task>              removes one task with everything that belongs to it, at once; one that is in use is left
  purge --due [--dry-run]   removes every task whose retention is over, or only counts them
  purge --without-key [--dry-run]
                            removes every task that the keys at hand don't open, in use or not: for a key that is lost for good
  tighten --answer <level> [--audit <level>] [--agent <name>] [--dry-run]
                            tightens what may be kept of every run: ${CEILINGS.join(', ')}; never loosens
  files list <task>         shows the files of a task; files export <task> <folder> writes them, or with --repository the git
                            repository of its context; \`files --help\` has more
  restore [--dry-run]       rebuilds tasks and lists from the archive in the bucket, for a database that was lost; \`restore --help\` has more
  import <place> [--dry-run]
                            takes tasks over from the flat layout of the a2a-server of gemini-cli; \`import --help\` has more
  formats                   shows which format of the rows may be written, and which each function reads
  raise-format              lets the newest be written that this release knows, if every function reads it; else ends with 1
  rewrap [--version <n>]    wraps every data key with the newest key, or one of that version at least (Cloud KMS); can be stopped
                            and begun again; ends with 1 when a key did not open or the key service still wraps with an older one
  rotate-key                key file only: puts a new key in front of it, then does rewrap; a server that runs takes it up
  retire-keys               key file only: takes the older keys out of it, once nothing is wrapped by them any more

purge <task>, purge --without-key and tighten show what they would destroy, and ask first. Without a terminal they need --yes.
`;

/** Their names. */
export const MAINTENANCE: readonly string[] = [
  'purge',
  'tighten',
  'files',
  'restore',
  'import',
  'formats',
  'raise-format',
  'rewrap',
  'rotate-key',
  'retire-keys',
];
