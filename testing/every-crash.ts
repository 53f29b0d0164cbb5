import type { Repeated } from './effects.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** A commit at which a process was lost: before it counted, or right after. */
export interface Crash {
  /** 1 for the first of the scenario. */
  readonly commit: number;
  readonly when: 'before' | 'after';
}

/** A call that ran more than once in some of the worlds. */
export interface RepeatedCall extends Pick<Repeated, 'kind' | 'name' | 'effect'> {
  /** How often at most. */
  readonly times: number;
  readonly crashes: readonly Crash[];
}

export interface CrashReport {
  /** How many commits the scenario makes by itself. */
  readonly commits: number;
  /** How often it was played with a crash. */
  readonly crashes: number;
  /** Which side effects a crash repeats, the most often repeated first. */
  readonly repeated: readonly RepeatedCall[];
}

/**
 * Plays a scenario once as it is, then once for each commit and moment with a crash there: the
 * process is gone, and another one takes over what it left, as a deployment would. The scenario
 * makes its own assertions, and the world's invariants are checked after each. Throws an Error that
 * names the crash, with what was thrown as its `cause`.
 *
 * @param make the world: agents, fakes and remotes of its own for each
 */
export async function everyCrash(
  make: () => WorldOptions,
  scenario: (world: World) => Promise<void>,
): Promise<CrashReport> {
  const whole = createWorld(make());
  await scenario(whole);
  const { commits } = whole;
  await whole.close();
  const found = new Map<string, RepeatedCall>();
  for (let commit = 1; commit <= commits; commit += 1) {
    for (const when of ['before', 'after'] as const) {
      const crash = { commit, when };
      for (const each of await playedWith(crash, commits, make, scenario)) add(found, each, crash);
    }
  }
  return {
    commits,
    crashes: 2 * commits,
    repeated: [...found.values()].toSorted((a, b) => b.crashes.length - a.crashes.length),
  };
}

async function playedWith(
  { commit, when }: Crash,
  commits: number,
  make: () => WorldOptions,
  scenario: (world: World) => Promise<void>,
): Promise<readonly Repeated[]> {
  const world = createWorld(make());
  world.crashAt(commit, when);
  try {
    await scenario(world);
    await world.close();
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`a process that is lost ${when} commit ${commit} of ${commits}: ${words}`, {
      cause,
    });
  }
  return world.repeated;
}

function add(
  found: Map<string, RepeatedCall>,
  { effect, kind, name, times }: Repeated,
  crash: Crash,
): void {
  const key = `${kind} ${name}`;
  const before = found.get(key);
  const crashes = before?.crashes ?? [];
  const last = crashes.at(-1);
  const same = last?.commit === crash.commit && last.when === crash.when;
  found.set(key, {
    kind,
    name,
    effect,
    times: Math.max(times, before?.times ?? 0),
    crashes: same ? crashes : [...crashes, crash],
  });
}
