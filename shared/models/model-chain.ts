import type { Millis } from '../domain/brand.ts';
import { ask, type Model, type ModelTurn } from './model.ts';
import { ContextTooLong, ModelFault } from './model-fault.ts';
import { RetryLater } from './retry-later.ts';

/** Faults in a row after which a provider is left alone, and for how long. */
const FAULTS = 3;
const REST: Millis = 30_000;

/** What is known of a provider in this process. */
interface Circuit {
  faults: number;
  /** Until then it is not asked. */
  openUntil: Millis;
}

/**
 * Models of which the first that answers makes the turn. A model whose provider asked to be left
 * alone, or failed three times in a row, is passed over until its time is up. Each is asked under
 * its own ceiling, which the run is put under just before. If none answers, the turn is made again
 * when the first may be asked again; only if each refuses for good the run ends.
 */
export function modelChain(models: readonly Model[]): Model {
  const circuits = new Map<string, Circuit>(
    models.map((model) => [providerOf(model), { faults: 0, openUntil: 0 }]),
  );
  const circuitOf = (model: Model): Circuit =>
    circuits.get(providerOf(model)) ?? { faults: 0, openUntil: 0 };
  return {
    name: models.map(({ name }) => name).join(', then '),
    // The usual one's. Another that is asked in its place says itself when it is too small.
    ...(models[0]?.window !== undefined && { window: models[0].window }),
    async turn(request, signal, call) {
      let fault: ModelFault | undefined;
      for (const model of models) {
        const circuit = circuitOf(model);
        if (circuit.openUntil > call.now()) continue;
        try {
          const turn = await ask(model, request, signal, call);
          circuit.faults = 0;
          return namedBy(model, turn);
        } catch (error) {
          if (signal.aborted) throw error;
          if (error instanceof RetryLater) note(circuit, error, call.now());
          else if (error instanceof ModelFault) fault = worse(fault, error);
          else throw error;
          call.report(model.name, error);
        }
      }
      throw failure(models, circuitOf, fault, call.now());
    },
  };
}

const providerOf = ({ name, provider = name }: Model): string => provider;

/** A request that is too long for one of them can be made shorter. */
const worse = (before: ModelFault | undefined, fault: ModelFault): ModelFault =>
  before instanceof ContextTooLong ? before : fault;

/** A turn is read later: what is no object is refused then. */
function namedBy({ name }: Model, turn: ModelTurn): ModelTurn {
  return typeof turn === 'object' && turn !== null ? { by: name, ...turn } : turn;
}

function note(circuit: Circuit, { delay }: RetryLater, now: Millis): void {
  circuit.faults += 1;
  const rest = circuit.faults >= FAULTS ? REST : 0;
  circuit.openUntil = Math.max(circuit.openUntil, now + Math.max(delay ?? 0, rest));
}

/** Waiting helps as soon as one of them may be asked again. */
function failure(
  models: readonly Model[],
  circuitOf: (model: Model) => Circuit,
  fault: ModelFault | undefined,
  now: Millis,
): RetryLater | ModelFault {
  const waiting = models.map(circuitOf).filter(({ faults }) => faults > 0);
  if (waiting.length === 0 && fault !== undefined) return fault;
  const delay = Math.min(...waiting.map(({ openUntil }) => Math.max(0, openUntil - now)));
  const words = 'no model of the chain answers';
  return new RetryLater(words, { cause: fault, ...(delay > 0 && { delay }) });
}
