/**
 * What the caller must do about a fault: try again at once, wait until a person or time has fixed
 * it, or stop.
 */
export type Advice = 'retry' | 'wait' | 'stop';

const BRAND = Symbol.for('holdfast.fault');

/** A fault of the system itself. Expected outcomes are return values, never one of these. */
export class Fault extends Error {
  readonly [BRAND] = true;
  readonly advice: Advice;

  constructor(name: string, advice: Advice, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = name;
    this.advice = advice;
  }
}

export function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** The same call may succeed later: nothing ends because of it. */
export function isPassing(error: unknown): error is Fault {
  return isFault(error) && (error.advice === 'retry' || error.advice === 'wait');
}

/**
 * One of our own services takes nothing from us for the time being: to wait for, and no fault of
 * the run that met it.
 */
export function isRefusal(error: unknown): boolean {
  return isFault(error) && error.advice === 'wait';
}

/**
 * One of our own services refused a call for a reason that lies outside the run: a right that is
 * missing or has not spread yet (minutes,
 * https://cloud.google.com/iam/docs/access-change-propagation), a disabled key, billing, a
 * perimeter. `name` tells the services apart in the log.
 */
export class ServiceRefused extends Fault {
  constructor(name: string, service: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(name, 'wait', `${service} refused a call: ${message}`, cause);
  }
}

/** A call that a service can't serve in any state: a bug of ours, for a person. */
export function badCall(service: string, cause: unknown): Fault {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Fault('BadCall', 'stop', `${service} can't serve a call: ${message}`, cause);
}

/** A service did not answer, or not in time: what was asked may or may not have happened. */
export class Unavailable extends Fault {
  constructor(what: string, cause?: unknown) {
    super('Unavailable', 'retry', `${what} is unavailable`, cause);
  }
}

/** A transaction met other writers until its deadline ran out. Nothing was written. */
export class Contention extends Fault {
  constructor(attempts: number) {
    super('Contention', 'retry', `a transaction met other writers ${attempts} times in a row`);
  }
}

/** A document or commit is over the store's limit; refused before it is sent. */
export class TooLarge extends Fault {
  constructor(what: string, bytes: number, limit: number) {
    super('TooLarge', 'stop', `${what} has ${bytes} bytes; the limit is ${limit}`);
  }
}

/**
 * A stored document or object can't be understood: corrupt, moved, or sealed with a key that is
 * gone for good.
 */
export class Unreadable extends Fault {
  constructor(what: string, cause?: unknown) {
    super('Unreadable', 'stop', `${what} can't be read`, cause);
  }
}

/**
 * The key that wrapped a data key is not at hand. Nothing is known of what it sealed, and the key
 * may come back: so that is neither read nor destroyed meanwhile.
 */
export class KeyMissing extends Fault {
  /** Which one, in words; no secret. */
  readonly key: string;

  constructor(key: string) {
    super('KeyMissing', 'wait', `${key} is not at hand`);
    this.key = key;
  }
}
