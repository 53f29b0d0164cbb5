import type { Step } from '../domain/step.ts';
import { failed } from './failed.ts';
import { type Next, nextStep } from './next-step.ts';
import type { Offers } from './offers.ts';

/** A call that is next, and runs. */
export type Running = Extract<Next, { kind: 'run' }>;

/** Calls that run at once; of more, the next ones begin when these are done. */
const AT_ONCE = 8;

/**
 * The call that is next, with those behind it that may run beside it: calls of one turn that only
 * read and ask no person, up to the first one that does not.
 */
export function sideBySide(
  next: Running,
  steps: readonly Step[],
  offers: Offers,
): readonly Running[] {
  if (!mayRunBeside(next)) return [next];
  const found = [next];
  const assumed = [...steps];
  while (found.length < AT_ONCE) {
    // Whether it would be next does not depend on what the calls before it answer.
    assumed.push(failed(found.at(-1)?.callId ?? '', ''));
    const following = nextStep(assumed, offers);
    if (following.kind !== 'run' || !mayRunBeside(following)) break;
    found.push(following);
  }
  return found;
}

function mayRunBeside({ call, tool }: Running): boolean {
  return tool.effect === 'read' && call.question === undefined;
}
