import type { Place } from '../../ports/queue.ts';
import type { SegmentLane } from '../segment/segment-lane.ts';
import { runSegment } from './run-segment.ts';

/** The lane of a process that works on what it accepts. `reserve` is its queue's. */
export function localLane(reserve: () => Place | undefined): SegmentLane {
  return {
    reserve() {
      const place = reserve();
      return (
        place && {
          begin(app, claimed) {
            const now = app.clock.now();
            const agent = app.agents.get(claimed.run.agent);
            place.use(() => runSegment(app, claimed, agent, { due: now, dispatched: now }));
          },
          release: () => place.free(),
        }
      );
    },
  };
}
