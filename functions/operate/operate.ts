import { parseArgs } from 'node:util';
import { askAtTerminal, confirm, sameCommand } from '../cli/confirm.ts';
import type { App } from '../../shared/app/app.ts';
import { recordAct } from '../../shared/app/content/audit-record.ts';
import { purgeDue } from '../../shared/app/privacy/purge-due.ts';
import { formatDoc, raiseFormat } from '../../shared/app/records/write-format.ts';
import type { Purged } from '../../shared/app/privacy/purge-run.ts';
import type { AuditAct } from '../../shared/domain/audit.ts';
import { CEILINGS, type Ceiling, isCeiling } from '../../shared/domain/ceiling.ts';
import { openForMaintenance } from '../environment.ts';
import { BadConfiguration } from '../settings.ts';
import { PLAIN, rendered } from '../cli/screen/render.ts';
import { MAINTENANCE_HELP } from './maintenance.ts';
import { version as release } from '../version.ts';
import { runCommand } from '../run-command.ts';
import { FUNCTIONS } from '../function-names.ts';
import { requireKeys } from '../require-keys.ts';
import { type Confirm, purgeTask, purgeWithoutKeys, tightenRuns } from './destroy.ts';
import { IMPORT_HELP, importOld } from './import.ts';
import { renewKeys } from './keys.ts';
import { FILES_HELP, filesCommand } from './files.ts';
import { personAtTerminal } from './person.ts';
import { restore, RESTORE_HELP } from './restore.ts';
import { wholeTask } from './whole-task.ts';

/** What `--help` says of one of these commands. */
export function maintenanceHelp(command = ''): string {
  switch (command) {
    case 'restore':
      return RESTORE_HELP;
    case 'import':
      return IMPORT_HELP;
    case 'files':
      return FILES_HELP;
    default:
      return MAINTENANCE_HELP;
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
function done(line: string): number {
  say(line);
  return 0;
}
function refused(why: string): number {
  process.stderr.write(`holdfast: ${why}\n`);
  return 1;
}
function purged(task: string, fate: Purged): number {
  switch (fate) {
    case 'purged':
    case 'went-on':
      return done(`${task}: purged`);
    case 'in-use':
      return refused(
        `the task ${task} is in use, or was when it was to be removed, and was left; cancel it, then purge it`,
      );
    case 'unknown':
      return refused(`there is no task ${task} here; it may have been purged before`);
  }
}
const purgeOne = async (app: App, task: string, confirmed: Confirm): Promise<number> =>
  purged(task, await purgeTask(app, task, confirmed));
const progress = (counts: object): void => void process.stderr.write(`${JSON.stringify(counts)}\n`);

function level(name: string, value: string | undefined): Ceiling | undefined {
  if (value === undefined || isCeiling(value)) return value;
  throw new BadConfiguration(`--${name} must be one of ${CEILINGS.join(', ')}`);
}

function version(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9][0-9]*$/.test(value)) return Number(value);
  throw new BadConfiguration('--version must be the number of a key version');
}

async function operate(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      due: { type: 'boolean' },
      'without-key': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      answer: { type: 'string' },
      audit: { type: 'string' },
      agent: { type: 'string' },
      version: { type: 'string' },
      from: { type: 'string' },
      gone: { type: 'string' },
      repository: { type: 'boolean' },
      tenant: { type: 'string' },
      owner: { type: 'string' },
    },
  });
  const [command, task] = positionals;
  if (values.help === true || command === undefined) {
    process.stdout.write(maintenanceHelp(command));
    return 0;
  }
  const dryRun = values['dry-run'] === true;
  const confirmed: Confirm = (shown, question) =>
    confirm({
      shown: typeof shown === 'string' ? shown : rendered(shown, PLAIN),
      question,
      yes: values.yes === true,
      ask: askAtTerminal(),
      paste: sameCommand(args, '--yes'),
    });
  const { app, options } = await openForMaintenance();
  // A purge opens nothing, and is what helps where a key is lost; files lie in clear.
  if (!['purge', 'files', 'formats', 'raise-format'].includes(command))
    await requireKeys(app, options);
  switch (command) {
    case 'purge':
      if (values['without-key'] === true)
        return done(await purgeWithoutKeys(app, options, progress, dryRun ? undefined : confirmed));
      if (values.due === true)
        return done(JSON.stringify(await purgeDue(app, dryRun, progress, personAtTerminal())));
      if (task === undefined) throw new BadConfiguration('purge needs a task id, or --due');
      return purgeOne(app, await wholeTask(app, task), confirmed);
    case 'formats':
      return done(JSON.stringify((await app.store.get(formatDoc)) ?? 'no function has reported'));
    case 'raise-format': {
      const raised = await raiseFormat(app.store, FUNCTIONS, values.gone);
      if (raised.kind === 'raised') await note(app, 'raise-format', String(raised.writes));
      say(JSON.stringify(raised));
      return raised.kind === 'raised' ? 0 : 1;
    }
    case 'tighten': {
      const [answer, audit] = [level('answer', values.answer), level('audit', values.audit)];
      if (answer === undefined && audit === undefined)
        throw new BadConfiguration('tighten needs --answer or --audit');
      const wanted = {
        ...(answer && { answer }),
        ...(audit && { audit }),
        ...(values.agent && { agent: values.agent }),
      };
      const counts = await tightenRuns(app, wanted, progress, dryRun ? undefined : confirmed);
      if (values.agent !== undefined && Object.keys(counts).length === 0)
        return refused(`no run of an agent ${JSON.stringify(values.agent)} is kept here`);
      return done(JSON.stringify(counts));
    }
    case 'files': {
      const [, verb, id, folder] = positionals;
      const repository = values.repository === true;
      const whole = id === undefined ? undefined : await wholeTask(app, id);
      const told = await filesCommand(app, { verb, task: whole, folder, repository });
      if (told.kind === 'refused') return refused(told.why);
      for (const line of told.lines) say(line);
      return 0;
    }
    case 'restore': {
      const { from, agent, tenant, owner } = values;
      const wanted = { dryRun, from, agent, tenant, owner };
      const counts = await restore({ app, options }, wanted, { say, progress });
      if (!dryRun) await note(app, 'restore', JSON.stringify(counts));
      say(JSON.stringify(counts));
      return counts.problems === 0 ? 0 : 1;
    }
    case 'import': {
      const { agent, tenant, owner } = values;
      const wanted = { dryRun, place: task, agent, tenant, owner };
      const counts = await importOld({ app, options }, wanted, { say, progress });
      if (!dryRun) await note(app, 'import', JSON.stringify(counts));
      say(JSON.stringify(counts));
      return counts.problems === 0 ? 0 : 1;
    }
    case 'rewrap':
    case 'rotate-key':
    case 'retire-keys': {
      const wanted = { progress, atLeast: version(values.version) };
      const { ended, said } = await renewKeys(app, command, options, wanted);
      say(said);
      return ended ? 0 : 1;
    }
    default:
      throw new BadConfiguration(`${command} is no command; see --help`);
  }
}

const note = (app: App, act: AuditAct, outcome: string): Promise<void> =>
  recordAct(app, { act, operator: personAtTerminal(), outcome });

/** One command, and the exit code it ends with. */
export function operateCommand(args: readonly string[]): Promise<number> {
  return runCommand(async () => {
    // `--version <n>` is an option of rewrap.
    if (args[0] === '--version') return done(`holdfast ${release()}`);
    return await operate(args);
  });
}
