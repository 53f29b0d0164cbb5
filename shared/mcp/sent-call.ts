import { AsyncLocalStorage } from 'node:async_hooks';

/** What the transport knows of one message: the client above it tells failures apart no further. */
export interface SentCall {
  /** A byte of it may have left. */
  sent: boolean;
  /** The HTTP status of its answer. */
  status?: number;
  /** Why it came to nothing, in a word. */
  fault?: string;
  /** Ends the wait for an answer that can't come any more. */
  broke?: (reason: string) => void;
}

const current = new AsyncLocalStorage<SentCall>();

/** Runs a call, and says what became of its message. */
export async function traceCall<T>(
  call: () => Promise<T>,
): Promise<{ readonly sent: SentCall } & ({ readonly value: T } | { readonly error: unknown })> {
  const sent: SentCall = { sent: false };
  const broken = new Promise<never>((_resolve, reject) => {
    sent.broke = (reason) => {
      sent.fault = reason;
      reject(new Error(reason));
    };
  });
  // It may break after the answer.
  broken.catch(() => undefined);
  try {
    return { sent, value: await Promise.race([current.run(sent, call), broken]) };
  } catch (error) {
    return { sent, error };
  }
}

/** The call that the transport is asked to send; one of its own if that is no call. */
export const sentCall = (): SentCall => current.getStore() ?? { sent: false };
