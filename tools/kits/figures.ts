/** What a run of pytest came to. */
export interface Figures {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface KitRun {
  readonly name: string;
  /** Folder of the kit within the one that is given. */
  readonly kit: '1.0-dev' | '0.3.x';
  readonly args: readonly string[];
  readonly expected: Pick<Figures, 'passed' | 'failed'>;
}

/**
 * `passed` and `failed` as they were when this was last changed on purpose. What fails is known:
 * docs/decisions/0027-an-edge-of-our-own.md.
 */
const legacy = (category: string, transport: string, passed: number, failed: number): KitRun => ({
  name: `v0.3 ${category}, ${transport}`,
  kit: '0.3.x',
  args: ['--category', category, '--transports', transport],
  expected: { passed, failed },
});

export const RUNS: readonly KitRun[] = [
  {
    name: '1.0, over HTTP',
    kit: '1.0-dev',
    args: ['--transport', 'jsonrpc,http_json'],
    expected: { passed: 177, failed: 0 },
  },
  {
    name: '1.0, gRPC',
    kit: '1.0-dev',
    args: ['--transport', 'grpc'],
    // docs/decisions/0051-grpc-over-http2.md
    expected: { passed: 81, failed: 1 },
  },
  legacy('mandatory', 'jsonrpc', 30, 0),
  legacy('mandatory', 'rest', 18, 0),
  legacy('capabilities', 'jsonrpc', 33, 0),
  legacy('capabilities', 'rest', 27, 1),
  legacy('quality', 'jsonrpc', 13, 1),
  legacy('features', 'jsonrpc', 15, 0),
];

/** The summary at the end of pytest's output; undefined when there is none. */
export function figuresOf(output: string): Figures | undefined {
  const line = output.split('\n').findLast((each) => /\d+ (?:passed|failed).* in \d/.test(each));
  if (line === undefined) return undefined;
  const count = (word: string): number =>
    Number(new RegExp(String.raw`(\d+) ${word}`).exec(line)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** What is worse than expected, in words; undefined when nothing is. */
export function shortfall(
  { expected }: Pick<KitRun, 'expected'>,
  figures: Figures | undefined,
): string | undefined {
  if (figures === undefined) return 'the kit printed no figures';
  if (figures.failed > expected.failed) return `${expected.failed} may fail`;
  if (figures.passed < expected.passed) return `${expected.passed} must pass`;
  return undefined;
}
