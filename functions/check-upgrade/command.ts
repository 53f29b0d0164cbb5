import { earlierTasks } from '../../shared/app/segment/earlier-tasks.ts';
import { checkRuns } from '../../shared/app/upgrade/check-runs.ts';
import type { CheckedRun, Verdict } from '../../shared/app/upgrade/verdict.ts';
import { changesJson } from '../../shared/operator/blocked-row.ts';
import { waitOf } from '../../shared/operator/run-row.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { wantsColour } from '../cli/screen/looks.ts';
import { rendered } from '../cli/screen/render.ts';
import { type Cell, columns, line, type Look, table, type View } from '../cli/screen/view.ts';
import { jsonLine } from '../cli/table.ts';
import { projectAgents } from '../load-agents.ts';
import { runCommand } from '../run-command.ts';
import { BadConfiguration } from '../settings.ts';
import { type CheckArguments, checkArguments, HELP } from './arguments.ts';
import { openRows } from './open-rows.ts';
import { Replayer } from './replayer.ts';
import { lineOf, wordsOf } from './words.ts';

const COLUMNS = columns('run', 'agent', 'waits for', 'verdict', 'why', 'line');
const LOOKS = {
  'goes on': 'good',
  held: 'bad',
  fails: 'bad',
  differs: 'waits',
  'not checked': 'dim',
} as const satisfies Record<Verdict['kind'], Look>;

/** Runs between two words on how far it is. */
const TOLD = 500;
/** Runs that go on, beyond which they are counted and not listed. */
const LISTED = 100;

/** Compares every open run with the agents; answers with the exit code. */
async function check({ agent, json, limit, options, time }: CheckArguments): Promise<number> {
  const { app, close } = await openRows(options);
  const replayer = new Replayer({
    agents: options.agents ?? projectAgents(),
    settings: options.settings,
    installation: options.installation,
    clock: systemClock,
    time,
    earlierTasks: (run) => earlierTasks(app, run),
  });
  const counts = { 'goes on': 0, held: 0, fails: 0, differs: 0, 'not checked': 0 };
  const listed: CheckedRun[] = [];
  try {
    const names = await replayer.load();
    let seen = 0;
    const checked = checkRuns(app, { agent, limit, judge: (run) => replayer.judge(run) });
    for await (const each of checked) {
      const { kind } = each.verdict;
      counts[kind] += 1;
      seen += 1;
      if (json) process.stdout.write(`${jsonLine(rowJson(each))}\n`);
      else if (kind !== 'goes on' || counts[kind] <= LISTED) listed.push(each);
      if (seen % TOLD === 0) process.stderr.write(`holdfast: ${seen} runs looked at\n`);
    }
    if (seen === 0 && agent !== undefined && !names.includes(agent))
      throw new BadConfiguration(
        `--agent is ${JSON.stringify(agent)}: no open run has it, and the agents are ${names.join(', ')}`,
      );
    if (json) process.stdout.write(`${jsonLine({ counts })}\n`);
    else process.stdout.write(`${rendered(viewOf(listed, counts), screen())}\n`);
    return seen === counts['goes on'] ? 0 : 1;
  } finally {
    await replayer.close();
    await close();
  }
}

function rowJson({ run, verdict }: CheckedRun) {
  const waits = waitOf(run);
  const line = lineOf(verdict);
  return {
    run: run.taskId,
    agent: run.agent,
    status: run.status,
    ...(waits !== undefined && { waitsFor: waits.kind }),
    verdict: verdict.kind,
    ...(verdict.kind === 'goes on' && verdict.from !== undefined && { from: verdict.from }),
    ...(verdict.kind === 'held' && { changes: changesJson(verdict.changes) }),
    ...(verdict.kind !== 'goes on' && { why: wordsOf(verdict) }),
    ...(line !== undefined && { line }),
  };
}

/** Those that do not go on first. */
function viewOf(listed: readonly CheckedRun[], counts: Record<Verdict['kind'], number>): View {
  const goesOn = ({ verdict }: CheckedRun): boolean => verdict.kind === 'goes on';
  const rows = [...listed.filter((each) => !goesOn(each)), ...listed.filter(goesOn)];
  const unlisted = counts['goes on'] - rows.filter(goesOn).length;
  const said = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${count === 1 || kind !== 'goes on' ? kind : 'go on'}`],
  );
  return [
    table({ columns: COLUMNS, rows: rows.map(cellsOf), none: 'no open runs' }),
    ...(unlisted === 0 ? [] : [line(`and ${unlisted} more that go on`)]),
    ...(said.length === 0 ? [] : [line(said.join(', '))]),
  ];
}

function cellsOf({ run, verdict }: CheckedRun): readonly Cell[] {
  const waits = waitOf(run);
  const { events = [], kind = run.status, remote } = waits ?? {};
  const named = [kind, ...events, ...(remote === undefined ? [] : ['of', remote])].join(' ');
  return [
    { id: run.taskId },
    run.agent,
    named,
    { text: verdict.kind, look: LOOKS[verdict.kind] },
    wordsOf(verdict),
    lineOf(verdict) ?? '',
  ];
}

const screen = () => {
  const { columns: width, isTTY } = process.stdout;
  const colour = wantsColour('auto', process.env, isTTY);
  return { width: isTTY ? width : undefined, colour, exact: false, now: systemClock.now() };
};

/** Says which open runs would go another way with the agents as they are now. */
export function checkUpgradeCommand(args: readonly string[]): Promise<number> {
  return runCommand(async () => {
    const given = checkArguments(args, process.env);
    if (given !== undefined) return check(given);
    process.stdout.write(HELP);
    return 0;
  });
}
