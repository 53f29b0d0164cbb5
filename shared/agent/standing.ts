import type { Step, Summary } from '../domain/step.ts';

/** A summary that can be read. */
export type Standing = Summary & { readonly text: string };

/** The newest summary that can be read. */
export function standing(steps: readonly Step[]): Standing | undefined {
  return steps.findLast(isStanding);
}

const isStanding = (step: Step): step is Standing =>
  step.kind === 'summary' && step.text !== undefined;
