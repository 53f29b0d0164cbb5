import { status } from '@grpc/grpc-js';

/** An error answer of the API (https://cloud.google.com/apis/design/errors). */
export class Refusal extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalid = (why: string): Refusal => new Refusal(status.INVALID_ARGUMENT, why);
export const notFound = (what: string): Refusal => new Refusal(status.NOT_FOUND, what);
