import { lineOf, wordsOf } from '../functions/check-upgrade/words.ts';
import type { DefinedAgent } from '../shared/agent/index.ts';
import { authorLine } from '../shared/agent/steps/author-line.ts';
import type { App } from '../shared/app/app.ts';
import { earlierTasks } from '../shared/app/segment/earlier-tasks.ts';
import { checkRuns } from '../shared/app/upgrade/check-runs.ts';
import { judge } from '../shared/app/upgrade/judge.ts';

/** What would become of an open task with other agents. */
export interface CheckedTask {
  readonly taskId: string;
  readonly agent: string;
  /**
   * `held`: it is blocked until a release fits again, or an operator lets it go on. `fails`: it
   * ends FAILED. `differs`: nothing stops it, but it does something else than it would have done.
   */
  readonly verdict: 'goes on' | 'held' | 'fails' | 'differs' | 'not checked';
  /** From where it goes on, or what the first difference is; empty if there is nothing to say. */
  readonly why: string;
  /** Of the agent's code, `file:line:column`, where it is known. */
  readonly line?: string;
}

/** Each open task, replayed against these agents: nothing of it runs. */
export async function checkUpgrade(
  app: App,
  agents: readonly DefinedAgent[],
): Promise<readonly CheckedTask[]> {
  const { clock, installation, settings } = app;
  const published = { get: (name: string) => agents.find((agent) => agent.name === name) };
  const checked = checkRuns(app, {
    judge: (record) =>
      judge(record, {
        agents: published,
        installation,
        settings,
        folder: '/none',
        lineOf: authorLine,
        now: () => clock.now(),
        earlierTasks: () => earlierTasks(app, record.run),
      }),
  });
  const tasks: CheckedTask[] = [];
  for await (const { run, verdict } of checked) {
    const { agent, taskId } = run;
    const line = lineOf(verdict);
    const said = {
      verdict: verdict.kind,
      why: wordsOf(verdict),
      ...(line !== undefined && { line }),
    };
    tasks.push({ taskId, agent, ...said });
  }
  return tasks;
}
