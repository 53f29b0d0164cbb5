import fc from 'fast-check';
import { type Input, input } from './inputs.ts';
import { type Place, Target } from './target.ts';

/** So many go out at a time. */
const TOGETHER = 8;

/**
 * Sends inputs to a server, and fails with the smallest set of them that it does not stand. `alive`
 * throws once the server has said that something of it is broken.
 */
export async function runFuzz(
  place: Place,
  options: { readonly inputs: number; readonly seed: number; readonly alive: () => void },
): Promise<void> {
  const target = new Target(place);
  const batch = fc.array(input, { minLength: TOGETHER, maxLength: TOGETHER });
  try {
    await fc.assert(
      fc.asyncProperty(batch, async (inputs: Input[]) => {
        await Promise.all(inputs.map((each) => target.send(each)));
        options.alive();
      }),
      { numRuns: Math.ceil(options.inputs / TOGETHER), seed: options.seed, endOnFailure: false },
    );
  } finally {
    target.close();
  }
}
