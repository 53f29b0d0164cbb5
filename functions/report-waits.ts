import type { App } from '../shared/app/app.ts';
import { changedWaits } from '../shared/app/operators/changed-waits.ts';
import { changeFacts } from '../shared/app/segment/log-blocked.ts';
import { faultName } from '../shared/app/wake-up.ts';

/** Runs that are named one by one; `holdfast status` has more. */
const SHOWN = 20;

/**
 * Says at start which runs could not go on by themselves with the agents as they are declared now.
 * A store that can't say it keeps nothing from starting.
 */
export async function reportWaits(app: App): Promise<void> {
  try {
    const waits = await changedWaits(app);
    for (const { changes, run } of waits.slice(0, SHOWN)) {
      const about = { task: run.taskId, agent: run.agent, status: run.status };
      for (const change of changes)
        app.log.write('warning', 'run waits for what is gone or changed', {
          ...about,
          ...changeFacts(change),
        });
    }
    const more = waits.length - SHOWN;
    if (more > 0) app.log.write('warning', 'more runs wait for what is gone or changed', { more });
  } catch (error) {
    app.log.write('warning', 'waits not looked at', { fault: faultName(error) });
  }
}
