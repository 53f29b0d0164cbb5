import { CEILINGS } from '../../shared/domain/ceiling.ts';
import { EXIT_WORDS } from '../cli/cli-error.ts';
import { entries, paragraph } from '../cli/screen/entries.ts';

interface MaintenanceCommand {
  readonly name: string;
  readonly takes?: string;
  readonly summary: string;
}

/** The commands on the rows. */
export const MAINTENANCE_COMMANDS: readonly MaintenanceCommand[] = [
  {
    name: 'purge',
    takes: '<task>',
    summary:
      'removes one task with everything that belongs to it, at once; one that is in use is left',
  },
  {
    name: 'purge',
    takes: '--due [--dry-run]',
    summary: 'removes every task whose retention is over, or only counts them',
  },
  {
    name: 'purge',
    takes: '--without-key [--dry-run]',
    summary:
      "removes every task that the keys at hand don't open, in use or not: for a key that is lost for good",
  },
  {
    name: 'tighten',
    takes: '--answer <level> [--audit <level>] [--agent <name>] [--dry-run]',
    summary: `tightens what may be kept of every run: ${CEILINGS.join(', ')}; never loosens`,
  },
  { name: 'files', takes: 'list <task>', summary: 'shows the files of a task' },
  {
    name: 'files',
    takes: 'export <task> <folder> [--repository]',
    summary: 'writes them, or the git repository of its context; `files --help` has more',
  },
  {
    name: 'restore',
    takes: '[--dry-run]',
    summary:
      'rebuilds tasks and lists from the archive in the bucket, for a database that was lost; `restore --help` has more',
  },
  {
    name: 'import',
    takes: '<place> [--dry-run]',
    summary:
      'takes tasks over from the flat layout of the a2a-server of gemini-cli; `import --help` has more',
  },
  {
    name: 'formats',
    summary: 'shows which format of the rows may be written, and which each function reads',
  },
  {
    name: 'raise-format',
    takes: '[--gone grpc]',
    summary:
      'lets the newest be written that this release knows, if every function reads it, and the gRPC service where there is one; else ends with 1. --gone: it is there no more',
  },
  {
    name: 'rewrap',
    takes: '[--version <n>]',
    summary:
      'wraps every data key with the newest key, or one of that version at least (Cloud KMS); can be stopped and begun again; ends with 1 when a key did not open or the key service still wraps with an older one',
  },
  {
    name: 'rotate-key',
    summary:
      'key file only: puts a new key in front of it, then does rewrap; a server that runs takes it up',
  },
  {
    name: 'retire-keys',
    summary:
      'key file only: takes the older keys out of it, once nothing is wrapped by them any more',
  },
];

/** Those of them that destroy. */
export const MAINTENANCE_ASKS =
  'purge <task>, purge --without-key and tighten show what they would destroy, and ask first. Without a terminal they need --yes.';

export const MAINTENANCE_EXAMPLES = [
  'purge 98d1831f',
  'purge --due --dry-run',
  'tighten --answer redacted --agent assistant --dry-run',
  'raise-format',
];

/** Their names. */
export const MAINTENANCE: readonly string[] = [
  ...new Set(MAINTENANCE_COMMANDS.map(({ name }) => name)),
];

/** For the help of both command lines. */
export const maintenanceEntries = (): string =>
  entries(
    MAINTENANCE_COMMANDS.map(({ name, summary, takes }) => ({
      name: takes === undefined ? name : `${name} ${takes}`,
      words: summary,
    })),
  );

/** What `--help` says of all of them; some have a help of their own. */
export const MAINTENANCE_HELP = `Usage: holdfast <command> [options]

${paragraph('Works on the rows that the environment names, as the functions do: HOLDFAST_DATA (and HOLDFAST_STORE, GOOGLE_CLOUD_PROJECT, ...).')}

Commands:
${maintenanceEntries()}

Examples:
${MAINTENANCE_EXAMPLES.map((each) => `  holdfast ${each}`).join('\n')}

${paragraph(MAINTENANCE_ASKS)}
${paragraph(EXIT_WORDS)}
`;
