import type { App } from '../../shared/app/app.ts';
import { sourceOf } from '../../shared/app/restore/own-source.ts';
import { type RestoreCounts, restoreTasks } from '../../shared/app/restore/restore-tasks.ts';
import type { Whose } from '../../shared/app/restore/whose.ts';
import { agentName, scopeOf } from '../../shared/domain/ids.ts';
import { loadAgents } from '../load-agents.ts';
import { BadConfiguration } from '../settings.ts';
import type { StartOptions } from '../start/arguments.ts';
import { openSource } from './source.ts';

export const RESTORE_HELP = `Usage: holdfast restore [--dry-run] [--from <bucket or folder>]
                        [--agent <name> [--tenant <name>] [--owner <name>]]

Rebuilds tasks and lists from the archive in the bucket, for a database that was
lost. What the database has is never touched, so the command can be stopped and
run again; a task that is there already costs one look.

  --dry-run        reads everything and says what would be restored; changes
                   nothing
  --from <place>   reads gs://another-bucket, or a folder that a bucket was
                   copied to, instead of the installation's own
  --agent <name>   whose a task is of which the archive does not say it, as in a
                   folder; without it such a task is reported
  --tenant <name>, --owner <name>
                   the same, for callers that have names

Prints one line of JSON for each task that could not be restored, with the
reason, and at the end one with the counts; progress goes to stderr. Ends with 1
if a task could not be restored.

Examples:
  holdfast restore --dry-run
  holdfast restore --from gs://a-copy-of-the-bucket
`;

export interface RestoreArguments {
  readonly dryRun: boolean;
  readonly from?: string | undefined;
  readonly agent?: string | undefined;
  readonly tenant?: string | undefined;
  readonly owner?: string | undefined;
}

export interface Telling {
  readonly say: (line: string) => void;
  readonly progress: (counts: object) => void;
}

/** The counts; each problem is said before. Throws BadConfiguration. */
export async function restore(
  { app, options }: { readonly app: App; readonly options: Pick<StartOptions, 'agents'> },
  given: RestoreArguments,
  { say, progress }: Telling,
): Promise<RestoreCounts> {
  const agents = await loadAgents(options.agents);
  const source =
    given.from === undefined ? sourceOf(app.blobs) : openSource(given.from, process.env);
  return restoreTasks({ ...app, agents }, source, {
    dryRun: given.dryRun,
    own: given.from === undefined,
    otherwise: otherwise(agents, given),
    progress,
    report: ({ problem, task, why }) => say(JSON.stringify({ task, problem, why })),
  });
}

type Named = Pick<RestoreArguments, 'agent' | 'tenant' | 'owner'>;

function otherwise(agents: App['agents'], given: Named): Whose | undefined {
  const { agent, owner, tenant } = given;
  if (agent !== undefined) return whoseOf(agents, { ...given, agent });
  if (owner !== undefined || tenant !== undefined)
    throw new BadConfiguration('--tenant and --owner need --agent');
  return undefined;
}

/** Throws BadConfiguration. */
export function whoseOf(
  agents: App['agents'],
  { agent, owner = '', tenant = '' }: Named & { readonly agent: string },
): Whose {
  const name = agentName(agent);
  if (name === undefined || agents.get(name) === undefined)
    throw new BadConfiguration(`--agent is ${JSON.stringify(agent)}, which is not published here`);
  return { agent: name, tenant, owner, scope: scopeOf({ agent: name, tenant, owner }) };
}
