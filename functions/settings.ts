import {
  defaults,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from '../shared/domain/settings.ts';

/**
 * A configuration that can't be used; the message names the variable or flag, and what would be
 * right.
 */
export class BadConfiguration extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadConfiguration';
  }
}

/** The environment variable of a setting: `blockingCap` is HOLDFAST_BLOCKING_CAP. */
export function variableOf(setting: SettingName): string {
  return `HOLDFAST_${setting.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/**
 * Every number of the system can be set: by environment variable, then by `--set name=value`. Times
 * are milliseconds, sizes bytes. Throws BadConfiguration.
 */
export function settingsFrom(
  environment: Readonly<Record<string, string | undefined>>,
  given: readonly string[] = [],
): Settings {
  const values = new Map<string, string>();
  for (const name of SETTING_NAMES) {
    const value = environment[variableOf(name)];
    if (value !== undefined && value !== '') values.set(name, value);
  }
  for (const pair of given) {
    const [name = '', value] = pair.split('=', 2);
    if (!SETTING_NAMES.some((each) => each === name) || value === undefined) {
      throw new BadConfiguration(
        `--set ${pair}: give name=value with one of ${SETTING_NAMES.join(', ')}`,
      );
    }
    values.set(name, value);
  }
  const settings = {
    ...defaults,
    ...Object.fromEntries([...values].map(([name, value]) => [name, toNumber(name, value)])),
  };
  check(settings);
  return settings;
}

function toNumber(name: string, value: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  const variable = variableOf(name as SettingName);
  throw new BadConfiguration(
    `${variable} (${name}) is ${JSON.stringify(value)}; it must be a whole number, 0 or more`,
  );
}

const DAY = 86_400_000;

/** Numbers that only make sense together (Firestore's limits among them). */
function check(settings: Settings): void {
  const rules: readonly (readonly [boolean, string])[] = [
    [settings.leaseRenewal * 2 <= settings.lease, 'leaseRenewal must be at most half of lease'],
    [settings.lease > 0, 'lease must be more than 0'],
    [settings.repeatAfter > 0, 'repeatAfter must be more than 0'],
    [
      settings.inlineContent <= 200 * 1024,
      'inlineContent must be at most 204800: three such contents share one commit',
    ],
    [
      settings.workingSnapshot <= settings.inlineContent,
      'workingSnapshot must be at most inlineContent',
    ],
    [settings.pageSizeMax <= 100, 'pageSizeMax must be at most 100 (A2A ListTasks)'],
    [
      settings.pageSize >= 1 && settings.pageSize <= settings.pageSizeMax,
      'pageSize must be from 1 to pageSizeMax',
    ],
    [settings.retention >= DAY, 'retention must be at least a day (86400000)'],
    [settings.waitingRetention >= DAY, 'waitingRetention must be at least a day (86400000)'],
    [
      settings.auditRetention === 0 || settings.auditRetention >= DAY,
      'auditRetention must be 0 (for ever), or at least a day (86400000)',
    ],
    [settings.shards >= 1 && settings.shards <= 500, 'shards must be from 1 to 500'],
    [settings.listShards >= 1 && settings.listShards <= 100, 'listShards must be from 1 to 100'],
    [settings.requestBody >= 1024, 'requestBody must be at least 1024'],
    [
      settings.agentMemory >= 64 * 1024 * 1024,
      'agentMemory must be at least 64 MiB (67108864): Node itself needs some',
    ],
    [
      settings.agentSilence === 0 || settings.agentSilence >= 1_000,
      'agentSilence must be 0 (never), or at least a second (1000)',
    ],
    [settings.blockingCap <= 55 * 60_000, 'blockingCap must be at most 55 minutes'],
  ];
  const broken = rules.filter(([holds]) => !holds).map(([, rule]) => rule);
  if (broken.length > 0) throw new BadConfiguration(broken.join('; '));
}
