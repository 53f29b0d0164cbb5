/**
 * Thrown by a model whose provider will not answer however often it is asked: a wrong key, a
 * request that it does not understand. The run ends FAILED at once. The message is for the author
 * (docs/errors.md).
 */
export class ModelFault extends Error {
  override readonly name: string = 'ModelFault';
  readonly model: string;
  /** Of HTTP; absent if no request came to an answer. */
  readonly status: number | undefined;

  constructor(
    model: string,
    message: string,
    { status, ...options }: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(`${model}: ${message}`, options);
    this.model = model;
    this.status = status;
  }
}

/**
 * The request does not fit into the model's window. The transcript is summed up and the model asked
 * once more; after that the run ends FAILED.
 */
export class ContextTooLong extends ModelFault {
  override readonly name = 'ContextTooLong';
}
