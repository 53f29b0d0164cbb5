import type { App } from '../../shared/app/app.ts';
import { filesLimitsOf } from '../../shared/app/agents.ts';
import { workspaceCheck } from '../../shared/import/checked-workspace.ts';
import { type ImportCounts, importTasks } from '../../shared/import/import-tasks.ts';
import { loadAgents, type Published } from '../load-agents.ts';
import { BadConfiguration } from '../settings.ts';
import type { StartOptions } from '../start/arguments.ts';
import { type RestoreArguments, type Telling, whoseOf } from './restore.ts';
import { openSource } from './source.ts';

export const IMPORT_HELP = `Usage: holdfast import <bucket or folder> [--agent <name>] [--tenant <name>]
                       [--owner <name>] [--dry-run]

Takes tasks over from the flat layout of the a2a-server of gemini-cli,
tasks/<taskId>/metadata.tar.gz (gzipped JSON, in spite of its name) and
workspace.tar.gz: as tasks that GetTask and ListTasks show, and into the archive
of this installation. The source is only read. What is here already is left as
it is, so the command can be stopped and run again.

  <bucket or folder>  gs://bucket, or a folder that holds tasks/
  --agent <name>      whose the tasks are from now on; needed if more than one
                      agent is published
  --tenant <name>, --owner <name>
                      the same, for callers that have names
  --dry-run           reads and checks everything and says what would be
                      imported; changes nothing

Prints one line of JSON for each task or workspace that could not be imported,
with the reason, and at the end one with the counts; progress goes to stderr.
Ends with 1 if there was such a line, with 2 if there is nothing to import.

Examples:
  holdfast import gs://old-bucket --dry-run
  holdfast import ./old-tasks --agent assistant --owner ada
`;

export interface ImportArguments extends Omit<RestoreArguments, 'from'> {
  readonly place: string | undefined;
}

/** The counts; each problem is said before. Throws BadConfiguration. */
export async function importOld(
  { app, options }: { readonly app: App; readonly options: Pick<StartOptions, 'agents'> },
  { agent, dryRun, owner, place, tenant }: ImportArguments,
  { say, progress }: Telling,
): Promise<ImportCounts> {
  if (place === undefined)
    throw new BadConfiguration('import needs a bucket (gs://its-name) or a folder; see --help');
  const agents = await loadAgents(options.agents);
  const whose = whoseOf(agents, { agent: agent ?? theOnly(agents), tenant, owner });
  const files = agents.get(whose.agent)?.files;
  const counts = await importTasks({ ...app, agents }, openSource(place, process.env), {
    dryRun,
    whose,
    check: workspaceCheck(filesLimitsOf(app.settings, files ?? { form: 'git' })),
    progress,
    report: ({ problem, task, why }) => say(JSON.stringify({ task, problem, why })),
  });
  if (counts.seen === 0)
    throw new BadConfiguration(`${place} holds no tasks/<taskId>/metadata.tar.gz`);
  return counts;
}

function theOnly({ all, first }: Published): string {
  if (all.length === 1) return first.name;
  const names = all.map(({ name }) => name).join(', ');
  throw new BadConfiguration(`--agent must say whose the tasks are: ${names}`);
}
