import { isRefused, type Refused } from '../shared/domain/refusal.ts';

/** What a caller or an operator was refused. */
export class Refusal extends Error {
  /** `TASK_BUSY`, `INVALID_PARAMS`, `DECISION_REQUIRED` and the others that a server answers. */
  readonly code: string;
  /** The parameter at fault, where one is. */
  readonly field?: string;

  /** @internal */
  constructor({ code, field, message }: Pick<Refusal, 'code' | 'field' | 'message'>) {
    super(`${code}${field === undefined ? '' : ` (${field})`}: ${message}`);
    this.name = 'Refusal';
    this.code = code;
    if (field !== undefined) this.field = field;
  }
}

/** The answer, where it is no refusal. Throws Refusal. */
export function granted<T>(answer: T): Exclude<T, Pick<Refused, 'kind'>> {
  if (isRefused(answer)) throw new Refusal(answer);
  return answer as Exclude<T, Pick<Refused, 'kind'>>;
}
