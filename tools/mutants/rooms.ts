/** Unit tests: a change costs milliseconds. */
export const UNIT = ['shared/domain/**/*.test.ts', 'shared/app/**/*.test.ts'];

/** The app in one process and without ports, and a small part of the simulation. */
const APP = ['test/app/*.test.ts', 'test/operator/*.test.ts', 'test/simulation/random*.test.ts'];

/** They lose a process at every call of a task, or try random schedules: most of the time. */
export const SLOW = [
  'test/{app,operator}/*-{crashes,faults,moments,races}.test.ts',
  'test/simulation/random*.test.ts',
];

/** Where a room's own tests are known, the others would only take time. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  decisions: [
    'test/{app,operator}/decisions*.test.ts',
    'test/app/{approval-age,wait-ends}.test.ts',
  ],
  privacy: [
    'test/app/{purge,purge-batches,keys,check-keys,ceilings,policy-now,envelopes}.test.ts',
    'test/app/{kms-key-states,open-archive,privacy-*}.test.ts',
    'test/operator/{keys,trail,acts}.test.ts',
  ],
  signals: ['test/app/{events,steps}.test.ts'],
};

/** The globs of the tests that a change of these files can be told by. */
export function testsOf(files: readonly string[]): readonly string[] {
  const known = files.map((file) => ROOMS[/^shared\/app\/([^/]+)/.exec(file)?.[1] ?? '']);
  const own = known.flatMap((tests) => tests ?? APP);
  return [...new Set([...UNIT, ...own])];
}
