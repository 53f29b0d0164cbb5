import type { Millis } from '../../domain/brand.ts';
import type { TurnContext } from '../model.ts';
import { RetryLater } from '../retry-later.ts';
import { streamErrorOf } from './provider-error.ts';
import type { Result } from './read-result.ts';
import { StreamedContent, type StreamPart } from './streamed-content.ts';

/** What is needed to read an answer as it is written. */
export interface Reading {
  readonly model: string;
  readonly signal: AbortSignal;
  readonly call: Pick<TurnContext, 'after' | 'draft' | 'now'>;
  /** How long the provider may say nothing, before its first word and between two. */
  readonly idleTimeout: Millis;
  /** Asks the provider; the signal ends the request. */
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<StreamPart>>;
}

/**
 * Asks a provider for a stream, and writes its text into the draft as it comes. What breaks off, or
 * says nothing for too long, is RetryLater: a half answer is never taken for a whole one. Throws
 * what the provider answers in the place of a stream as it is.
 */
export async function readStream(reading: Reading): Promise<Result> {
  const { call, idleTimeout, model, open, signal } = reading;
  const line = new AbortController();
  const silence = watchSilence(call, idleTimeout, () => line.abort('silent'));
  try {
    const stream = await open(AbortSignal.any([signal, line.signal]));
    return await readAll(stream, { ...reading, line: line.signal, silence });
  } catch (error) {
    if (line.signal.aborted && !signal.aborted)
      throw new RetryLater(`${model}: said nothing for ${idleTimeout} ms`, { cause: error });
    throw error;
  } finally {
    silence.end();
    // A stream that is left in the middle would go on, and be paid for.
    line.abort('over');
  }
}

interface Watched {
  /** Aborted when the provider has been silent for too long. */
  readonly line: AbortSignal;
  readonly silence: Silence;
}

async function readAll(
  stream: ReadableStream<StreamPart>,
  { call, line, model, signal, silence }: Reading & Watched,
): Promise<Result> {
  const content = new StreamedContent();
  const reader = stream.getReader();
  // Also of a provider that does not look at its signal.
  const leave = (): void => void reader.cancel().catch(() => undefined);
  const left = AbortSignal.any([signal, line]);
  left.addEventListener('abort', leave, { once: true });
  try {
    while (content.finish === undefined) {
      const { done, value } = await reader.read();
      silence.heard();
      if (done) break;
      const text = content.add(value);
      if (text !== '') await call.draft?.write(text);
    }
  } catch (error) {
    throw signal.aborted ? error : streamErrorOf(model, error);
  } finally {
    left.removeEventListener('abort', leave);
    leave();
  }
  signal.throwIfAborted();
  const result = content.result();
  if (result === undefined) throw new RetryLater(`${model}: was cut off`);
  return result;
}

interface Silence {
  heard(): void;
  end(): void;
}

/** One timer for the whole stream, however many parts it has. */
function watchSilence(
  { after, now }: Pick<TurnContext, 'after' | 'now'>,
  most: Millis,
  silent: () => void,
): Silence {
  let last = now();
  let cancel: () => void;
  const look = (wait: Millis): void => {
    cancel = after(wait, () => {
      const left = last + most - now();
      if (left > 0) look(left);
      else silent();
    });
  };
  look(most);
  return {
    heard() {
      last = now();
    },
    end: () => cancel(),
  };
}
