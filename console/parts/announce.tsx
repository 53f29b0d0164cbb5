import { createStore, useStore } from '../store.ts';

const said = createStore('');

/** Says something to screen readers, politely. */
export const announce = (words: string): void => said.set(words);

export function Announcements() {
  return (
    <p class="hidden" role="status" aria-live="polite">
      {useStore(said)}
    </p>
  );
}
