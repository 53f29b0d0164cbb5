/**
 * An error answer of the JSON API (https://cloud.google.com/storage/docs/json_api/v1/status-codes).
 * Google's client tells faults apart by `code` and by `errors[].reason`.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }

  get body(): object {
    const { status, reason, message } = this;
    return { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } };
  }
}

export const notFound = (what: string): Refusal => new Refusal(404, 'notFound', what);
export const invalid = (why: string): Refusal => new Refusal(400, 'invalid', why);
