import { Thrown } from '../ports/log.ts';
import { faultName } from './wake-up.ts';

/** Where the HTTP status lies in what the usual clients of providers throw. */
const STATUS = ['status', 'statusCode'] as const;
/** Causes that are looked at: what a client threw is often wrapped. */
const DEPTH = 5;

/** What a log line says of an error. */
export type ErrorFacts = {
  /** Its class. */
  readonly fault: string;
  /** HTTP status of the service that refused. */
  readonly status?: number;
  /** The words, for a log that stays with the author. */
  readonly error: Thrown;
};

export function errorFacts(error: unknown): ErrorFacts {
  const status = statusOf(error, DEPTH);
  return {
    fault: nameOf(error),
    ...(status !== undefined && { status }),
    error: new Thrown(error),
  };
}

function nameOf(error: unknown): string {
  try {
    return faultName(error);
  } catch {
    return 'Error';
  }
}

function statusOf(error: unknown, depth: number): number | undefined {
  if (depth === 0) return undefined;
  const places = [error, fieldOf(error, 'response')];
  const values = places.flatMap((place) => STATUS.map((name) => fieldOf(place, name)));
  return values.find(isStatus) ?? statusOf(fieldOf(error, 'cause'), depth - 1);
}

/** Of whatever was thrown, whose getters may throw, too. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 100 && value < 600;
