import { Unavailable } from '../ports/faults.ts';

/** No answer came in time: the call may have been applied, and its connection may be dead. */
export class NoAnswer extends Unavailable {
  constructor(what: string, deadline: number) {
    super(what, new Error(`no answer within ${deadline} ms`));
  }
}

/**
 * The answer, or NoAnswer at the deadline. Google's clients have deadlines of their own, but some
 * repeat calls behind their caller's back, sleeping up to 60 s, and wait without limit for a
 * connection.
 */
export async function answered<T>(what: string, work: Promise<T>, deadline: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new NoAnswer(what, deadline)), deadline);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
