import { useEffect } from 'preact/hooks';
import { after, now } from '../browser.ts';
import { createStore, useStore } from '../store.ts';

const TICK = 1_000;
const time = createStore(now());
let viewers = 0;
let cancel: () => void = () => undefined;

function tick(): void {
  time.set(now());
  cancel = after(TICK, tick);
}

/** The time, of which a component is drawn again each second; one timer serves all. */
export function useNow(): number {
  useEffect(() => {
    viewers += 1;
    if (viewers === 1) tick();
    return () => {
      viewers -= 1;
      if (viewers === 0) cancel();
    };
  }, []);
  return useStore(time);
}
