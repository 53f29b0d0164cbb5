/**
 * Thrown by a model whose provider will not answer however often it is asked: a wrong key, a
 * request that it does not understand. The run ends FAILED at once. The message is for the author
 * (docs/errors.md).
 */
export class ModelFault extends Error {
  readonly model: string;
  /** Of HTTP; absent if no request came to an answer. */
  readonly status: number | undefined;

  constructor(
    model: string,
    message: string,
    { status, ...options }: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(`${model}: ${message}`, options);
    this.name = 'ModelFault';
    this.model = model;
    this.status = status;
  }
}
