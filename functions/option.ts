import type { Setting } from '../shared/domain/settings.ts';
import { type FunctionName, FUNCTIONS } from './function-names.ts';

/**
 * Something that can be set. Its variable is its name everywhere; options of commands and
 * Terraform's settings lead to it.
 */
export interface Option {
  /** The environment variable. */
  readonly variable: string;
  readonly meaning: string;
  /**
   * What a value looks like, `a|b` for a choice. None: a switch, which is on with `1` or `true`.
   */
  readonly value?: string;
  readonly unit?: Setting['unit'];
  readonly fallback?: string;
  /** Of `npm start`, where it is another one. */
  readonly startFallback?: string;
  /** The option of `npm start`, without its dashes. `npm run operate` reads the variable. */
  readonly start?: string;
  /** The option of `npx --no holdfast`. */
  readonly command?: string;
  /** The deployed functions that read it; Terraform sets it for exactly these. */
  readonly functions?: readonly FunctionName[];
  /** A function does not start without it. */
  readonly required?: boolean;
  /** Where it is read besides, in words. */
  readonly elsewhere?: string;
}

/** What every function needs. */
export const deployed = { functions: FUNCTIONS, required: true };
