/** Unit tests: a change costs milliseconds. */
export const UNIT = ['shared/domain/**/*.test.ts', 'shared/app/**/*.test.ts'];

/** The app in one process and without ports. */
const APP = ['test/app/*.test.ts', 'test/operator/*.test.ts'];

/** They lose a process at every call of a task, and take four fifths of the time. */
export const SLOW = ['test/{app,operator}/*-{crashes,faults,moments,races}.test.ts'];

/** Tests that look at what a room does; of a change there, they are tried first. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  callers: ['test/operator/{keys,rights}.test.ts'],
  change: [
    'test/app/{change-run,archive,open-archive,projection,agent-errors,costs}.test.ts',
    'test/app/{ceilings,unknown-status,redacted-pieces,files-projector,moved-on}.test.ts',
  ],
  content: [
    'test/app/{envelopes,keys,decisions-content,redacted-pieces,redactor-outage}.test.ts',
    'test/app/{message-sizes,artifact-limits,answer-size,tool-parts,webhooks}.test.ts',
    'test/operator/{trail,timelines,audit}.test.ts',
  ],
  counters: ['test/operator/{throughput,status}.test.ts'],
  decisions: [
    'test/{app,operator}/decisions*.test.ts',
    'test/app/{approval-age,wait-ends}.test.ts',
  ],
  delegation: [
    'test/app/{delegation,cancel-remote,push-in,circuits,poll-task,side-by-side}.test.ts',
    'test/app/{turn-loop-remotes,unknown-status,ask-client}.test.ts',
    'test/operator/{remotes,sends}.test.ts',
  ],
  files: ['test/app/files*.test.ts', 'test/operator/files.test.ts'],
  limits: ['test/app/{limits,backpressure,budgets-waiting,costs,contexts}.test.ts'],
  notices: ['test/{app,operator}/notices.test.ts'],
  operators: ['test/operator/*.test.ts'],
  privacy: [
    'test/app/{purge,purge-batches,keys,check-keys,ceilings,policy-now,envelopes}.test.ts',
    'test/app/{kms-key-states,open-archive,privacy-*}.test.ts',
    'test/operator/{keys,trail,acts}.test.ts',
  ],
  records: [
    'test/app/{lists,listed-again,made-at,window}.test.ts',
    'test/operator/{lists,sorted-lists,find,trail}.test.ts',
  ],
  restore: ['test/app/{restore,archive}.test.ts'],
  schedules: ['test/{app,operator}/schedules.test.ts'],
  segment: [
    'test/app/{turn-loop*,steps,completion,progress,claim-ends,streamed-answers}.test.ts',
    'test/app/{memory*,files,files-tools,redactor-outage,structured,segment-ports}.test.ts',
  ],
  signals: ['test/app/{events,steps}.test.ts', 'test/simulation/random-waits-1.test.ts'],
  tasks: [
    'test/app/{lists,contexts,caller,limits,message-sizes,structured,window}.test.ts',
    'test/app/{projection,ask-client,streamed-answers,listed-again,blocking,replies}.test.ts',
  ],
  upgrade: ['test/app/upgrade.test.ts'],
  webhooks: ['test/app/webhook*.test.ts', 'test/operator/webhooks.test.ts'],
  worker: [
    'test/app/{sweep,shards,steady-time,coordinator,claim-ends,claimed-at-once}.test.ts',
    'test/app/{blocked,paused-agents,backpressure,circuits,turn-loop}.test.ts',
  ],
};

const roomOf = (file: string): string => /shared\/app\/([^/]+)\//.exec(file)?.[1] ?? '';

/** The globs of the tests that look at the room of that file. */
export function ownTestsOf(file: string): readonly string[] {
  const room = roomOf(file);
  return room === '' ? [] : [`shared/app/${room}/*.test.ts`, ...(ROOMS[room] ?? [])];
}

/** The globs of the tests that a change of these files can be told by. */
export function testsOf(files: readonly string[]): readonly string[] {
  const own = files.map((file) => ROOMS[roomOf(`${file}/`)]);
  return [...UNIT, ...(own.includes(undefined) ? APP : own.flatMap((tests) => tests ?? []))];
}
