import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import type { World } from './world.ts';

/**
 * One process works on what is due of the wake-ups of both, until it is at rest; the others wait
 * with `front`, which a crash does not reach. What is left behind by a crash never ends.
 */
export async function deliver(front: World, by: World): Promise<void> {
  if (by !== front) front.queue.push(...by.queue.splice(0));
  for (const wakeUp of front.queue.splice(0)) {
    if (wakeUp.at > by.clock.now()) front.queue.push(wakeUp);
    else void handleWakeUp(by.app, wakeUp);
  }
  await by.rest();
}
