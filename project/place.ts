import { dirname } from 'node:path';
import { COMPILED } from '../functions/compiled.ts';

/** Where Holdfast itself lies: the package in node_modules, or the checkout. */
export interface Place {
  /** Has package.json, terraform/ and the templates. */
  readonly root: string;
  /** Has functions/ and shared/. */
  readonly code: string;
  /** Ending of a file with code, with its dot. */
  readonly ending: '.ts' | '.js';
  /** A checkout of Holdfast; else a package that a project has installed. */
  readonly isCheckout: boolean;
}

export function placeOfHoldfast(): Place {
  const code = dirname(import.meta.dirname);
  return {
    root: COMPILED ? dirname(code) : code,
    code,
    ending: COMPILED ? '.js' : '.ts',
    isCheckout: !COMPILED,
  };
}
