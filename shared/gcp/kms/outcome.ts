import {
  type Fault,
  isFault,
  ServiceRefused,
  Unavailable,
  Unreadable,
} from '../../ports/faults.ts';

const WHAT = 'Cloud KMS';

/** An answer other than 2xx. */
export class KmsRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * A checksum shows that bytes changed on the way
 * (https://cloud.google.com/kms/docs/data-integrity-guidelines).
 */
export class DamagedOnTheWay extends Error {}

/**
 * What it means for the caller. 401 is a token that expired on the way. A key version that is
 * disabled can be enabled again, and a missing right be given: both are waited for, and no verdict
 * on the data key.
 */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  if (!(error instanceof KmsRefusal)) return new Unavailable(WHAT, error);
  const { status, message } = error;
  const passing = status >= 500 || [401, 408, 429].includes(status) || /checksum/i.test(message);
  if (passing) return new Unavailable(WHAT, error);
  return new ServiceRefused('KeysRefused', WHAT, error);
}

/**
 * As `faultOf`, for an unwrapping: what this key did not wrap, or a version of it that is
 * destroyed, is gone for good. One that is only scheduled for that can be restored
 * (https://cloud.google.com/kms/docs/destroy-restore), as one that is disabled can be enabled.
 */
export function unwrapFaultOf(error: unknown): Fault {
  const final = /decryption failed|\bDESTROYED\b/i;
  const gone = error instanceof KmsRefusal && error.status === 400 && final.test(error.message);
  return gone ? new Unreadable('a data key', error) : faultOf(error);
}
