import { OPTIONS } from './configuration.ts';
import type { FunctionName } from './function-names.ts';
import { BadConfiguration } from './settings.ts';

export interface Variable {
  readonly name: string;
  /** The functions that read it; Terraform sets it for exactly these. */
  readonly readBy: readonly FunctionName[];
  readonly required: boolean;
  readonly description: string;
}

/** What a deployed function reads from its environment. */
export const VARIABLES: readonly Variable[] = OPTIONS.flatMap(
  ({ functions, meaning, required = false, variable }) =>
    functions === undefined
      ? []
      : [{ name: variable, readBy: functions, required, description: meaning }],
);

/**
 * The values of a function's variables. Throws BadConfiguration that names every one that is
 * missing.
 */
export function readVariables(
  name: FunctionName,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const wanted = VARIABLES.filter((variable) => variable.readBy.includes(name));
  const missing = wanted.filter((variable) => variable.required && !environment[variable.name]);
  if (missing.length > 0) {
    const list = missing.map((variable) => `${variable.name} (${variable.description})`).join(', ');
    throw new BadConfiguration(`the function ${name} needs ${list}`);
  }
  return new Map(
    wanted.flatMap((variable) => {
      const value = environment[variable.name];
      return value === undefined || value === '' ? [] : [[variable.name, value] as const];
    }),
  );
}
