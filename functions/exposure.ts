import { hostsOf } from './start/hosts.ts';
import type { Callers } from './callers.ts';
import type { Published } from './load-agents.ts';
import { BadConfiguration } from './settings.ts';
import type { StartOptions } from './start/arguments.ts';

type Options = Pick<StartOptions, 'access' | 'host' | 'store'>;

/** Whether others than this machine can call, and nothing asks them who they are. */
export function isExposed({ access, host, store }: Options, front: Callers): boolean {
  if (!access.ways.includes('open') || front !== 'signature') return false;
  // A deployed function listens on every address, whatever it is told.
  const deployed = store === 'google' && process.env['K_SERVICE'] !== undefined;
  return deployed || hostsOf({ host, allowHost: [], baseUrl: undefined }) === undefined;
}

/** Agents that callers who prove nothing should not have, and why. */
export function costly({ all }: Pick<Published, 'all'>): readonly { name: string; why: string }[] {
  return all.flatMap(({ name, publication, remotes = [], spends }) => {
    const { owner = false } = publication?.decisions ?? {};
    if (owner) return [{ name, why: "approves what it does by its callers' word" }];
    return spends || remotes.length > 0 ? [{ name, why: 'spends money' }] : [];
  });
}

/**
 * Throws BadConfiguration for an agent that spends money, or whose owner decides, where anyone can
 * call it, unless that is said twice.
 */
export function requireGuarded(agents: Published, options: Options, front: Callers): void {
  const [found] = costly(agents);
  if (found === undefined || options.access.openAnyway || !isExposed(options, front)) return;
  throw new BadConfiguration(
    `the agent ${found.name} ${found.why}, and anyone who reaches this server may call it: ask callers who they are (--access keys, for instance; docs/security.md), or say --open-anyway (HOLDFAST_OPEN_ANYWAY) if that is meant`,
  );
}

/**
 * Throws BadConfiguration for an agent whose approver must be another person than its caller, where
 * callers have no names.
 */
export function requireNames({ all }: Published, { access }: Options): void {
  const fourEyes = all.find(({ publication }) => publication?.decisions?.fourEyes === true);
  if (fourEyes === undefined || !access.ways.includes('open')) return;
  throw new BadConfiguration(
    `the agent ${fourEyes.name} has publication.decisions.fourEyes, which compares the names of approver and caller; callers who prove nothing have no names, so it would protect nothing. Leave \`open\` out of --access, or leave fourEyes out: only operators decide unless owner is set`,
  );
}

/** What a start says of it, loudly; undefined where callers are told apart. */
export function openWarning(options: Options, front: Callers): string | undefined {
  if (!options.access.ways.includes('open')) return undefined;
  const who = isExposed(options, front) ? 'anyone who reaches this server' : 'all that can call it';
  return `OPEN: ${who} is one anonymous caller, who sees and decides every task; --access keys tells callers apart (docs/security.md)`;
}
