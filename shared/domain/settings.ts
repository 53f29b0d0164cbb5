import type { Millis } from './brand.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const KiB = 1024;
const MiB = 1024 * KiB;

/** A number of the system: its default, what it counts, and what it means. */
export interface Setting {
  readonly value: number;
  readonly unit: 'ms' | 'bytes' | 'count';
  readonly meaning: string;
}

const ms = (value: Millis, meaning: string): Setting => ({ value, unit: 'ms', meaning });
const bytes = (value: number, meaning: string): Setting => ({ value, unit: 'bytes', meaning });
const count = (value: number, meaning: string): Setting => ({ value, unit: 'count', meaning });

/** Every number of the system, in one place. */
export const SETTINGS = {
  lease: ms(minute, 'A claim holds this long without renewal.'),
  leaseRenewal: ms(20 * second, 'A worker renews its claim this often; at most half of lease.'),
  segment: ms(8 * minute, 'A segment that runs longer ends its run FAILED with DEADLINE_EXCEEDED.'),
  runDeadline: ms(24 * hour, 'Working time of a run, waits for a person not counted.'),
  requeues: count(
    3,
    'A run is put back into the queue at most this often (worker lost, retryable fault); then it is FAILED.',
  ),
  backoff: ms(30 * second, 'A run that is put back waits this long, longer each time.'),
  backoffMax: ms(10 * minute, 'That wait grows up to this span.'),
  progressInterval: ms(250, 'Progress (status, artifact) is committed at most once in this span.'),
  progressDelay: ms(
    30,
    'The first progress of a segment waits this long, so that a short task needs no revision of its own for it.',
  ),
  progressBytes: bytes(MiB, 'Progress over this size is committed before the agent may go on.'),
  archiveInterval: ms(
    30 * second,
    'An open task is in the archive after this long, and its changes after as long again, unless its agent says otherwise; one that ends is archived at once.',
  ),
  blockingCap: ms(50 * second, 'A blocking call answers the task as it stands after this long.'),
  heartbeat: ms(15 * second, 'A stream on which nothing happens carries a comment this often.'),
  streamLife: ms(25 * minute, 'A stream ends after this long; a client subscribes again.'),
  streamBytes: bytes(
    8 * MiB,
    'A stream that has carried this many bytes ends as planned: platforms bound what one answer may carry.',
  ),
  liveInterval: ms(
    second,
    'While an operator has the console open, a process looks for changed runs this often: a query for each shard, however many look on.',
  ),
  itemBytes: bytes(
    8 * MiB,
    'What an agent shows at once, an artifact or a message, has at most this many bytes; a larger artifact is shown in pieces. It is one event, and a stream must be able to carry it.',
  ),
  taskArtifacts: count(
    1_000,
    'A task has at most this many artifacts; over it its run ends FAILED (`ARTIFACTS_EXCEEDED`).',
  ),
  taskArtifactBytes: bytes(
    256 * MiB,
    'The artifacts of a task come to at most this many bytes as JSON, what a segment replaces included; over it its run ends FAILED (`ARTIFACTS_EXCEEDED`).',
  ),
  answerBytes: bytes(
    30 * MiB,
    'A task over this size is not sent in one answer (`TASK_TOO_LARGE`); its events are, in a stream. Google Cloud lets an answer have 32 MB.',
  ),
  inlineContent: bytes(200 * KiB, 'Content over this size lies in an object of its own.'),
  workingSnapshot: bytes(
    32 * KiB,
    'While a task works, its snapshot keeps at most this much inline, so that each projection writes little.',
  ),
  pageSize: count(50, 'A list without a page size has this many entries a page.'),
  pageSizeMax: count(100, 'A page of a list has at most this many entries; at most 100.'),
  pageBytes: bytes(
    16 * MiB,
    'A page of tasks that would be larger holds fewer of them, at least one: platforms bound what one answer may carry.',
  ),
  totalSizeMax: count(
    1_000,
    "A list's `totalSize` is exact up to this many tasks, and says so many where there are more (decision 0022).",
  ),
  requestBody: bytes(10 * MiB, 'A request has at most this many bytes.'),
  requestBodies: bytes(
    64 * MiB,
    'All requests that one process of the A2A edge reads or takes in have together at most this many bytes.',
  ),
  requestWork: bytes(
    12 * MiB,
    'Of those, requests over 64 KiB are parsed and stored at a time as far as they fit into this many bytes, at least one; the others wait.',
  ),
  messageParts: count(1_000, 'A message of a client has at most this many parts.'),
  metadataBytes: bytes(
    64 * KiB,
    'Each metadata of a request, of its message and of a part has at most this many bytes as JSON.',
  ),
  taskMessages: count(
    1_000,
    'A task takes at most this many messages of its client; decisions count.',
  ),
  ownerRequests: count(
    1_000,
    'An authenticated caller may send this many requests a second, and ten times as many at once; 0: any number (docs/limits.md).',
  ),
  ownerTasks: count(
    10_000,
    'An authenticated caller may have this many open tasks with one agent; 0: any number.',
  ),
  ownerStreams: count(
    200,
    'An authenticated caller may have this many open streams in one process; 0: any number.',
  ),
  memory: bytes(
    0,
    'Memory of the process, where the platform does not say; 0 believes the platform. A request over 64 KiB is told to come again (503) while less than 192 MiB of it are free and anything else is at work.',
  ),
  requestValues: count(
    100_000,
    'A request holds at most this many values (elements, members, arrays and objects); in memory each takes up to a hundred times its text.',
  ),
  receiptLife: ms(24 * hour, 'A receipt of a message answers retries this long (G22).'),
  retention: ms(
    30 * 24 * hour,
    'A run that has ended is removed with everything that belongs to it after this long; at least a day.',
  ),
  waitingRetention: ms(30 * 24 * hour, 'A run that waits for a person is removed after this long.'),
  trailRetention: ms(
    7 * 24 * hour,
    'What was said in the steps of a run that has ended is kept this long, where it is kept, unless its agent says otherwise; 0: no longer than the run is open (docs/privacy.md#the-trail).',
  ),
  costRetention: ms(
    400 * 24 * hour,
    'Counters of tokens and costs are removed when their day is so long ago.',
  ),
  auditRetention: ms(
    400 * 24 * hour,
    'What operators did is kept in the audit record this long, also when its run is removed; 0: for ever; else at least a day.',
  ),
  sweepInterval: ms(10 * second, 'The sweeper looks at what is due this often.'),
  sweepGrace: ms(
    5 * second,
    'The sweeper leaves what became due this short a time ago to the queue.',
  ),
  repeatAfter: ms(
    minute,
    "A wake-up that is due this long was lost: the sweeper's next one is a new one (decision 0009).",
  ),
  pollInterval: ms(
    15 * second,
    'A remote task is polled this often at first, unless its remote says otherwise; never more often than `pollMin`.',
  ),
  pollMin: ms(5 * second, 'No remote task is polled more often than this.'),
  pollMax: ms(5 * minute, 'Polls back off up to this span.'),
  dependencyDeadline: ms(
    hour,
    'A delegation is over after this long, unless its remote says otherwise.',
  ),
  dependencyDeadlineMax: ms(24 * hour, 'No remote may be given longer than this for a delegation.'),
  remoteCall: ms(30 * second, 'One call to a remote agent may take this long.'),
  circuitFaults: count(
    5,
    'After so many failed calls in a row in one process a remote agent is left alone (docs/delegation.md); 0: never.',
  ),
  circuitRest: ms(30 * second, 'It is left alone this long at first, longer each time.'),
  circuitRestMax: ms(5 * minute, 'That rest grows up to this span.'),
  remoteMessage: bytes(
    MiB,
    'A message to a remote agent has at most this many bytes, and so has its answer.',
  ),
  outgoingRequest: bytes(
    16 * MiB,
    'A request to a webhook has at most this many bytes (docs/outgoing.md).',
  ),
  webhooks: count(10, 'A task has at most this many webhooks.'),
  pushTimeout: ms(15 * second, 'A webhook has this long to take a notification.'),
  pushHost: count(
    16,
    'A process has at most this many notifications on their way to one host; the rest waits its turn.',
  ),
  pushSlow: count(
    20,
    'A process waits longer than a second for at most this many webhooks; the attempts at others fail after it.',
  ),
  pushAttempts: count(
    10,
    'A notification is tried this often; then its webhook is parked until an operator has it delivered again.',
  ),
  pushBackoff: ms(
    15 * second,
    'After the first failure a notification is tried again after this long; each pause is three times the one before.',
  ),
  pushBackoffMax: ms(12 * hour, 'That pause grows up to this span.'),
  rounds: count(
    20,
    'A model may be asked this often in a run, unless its agent says otherwise (G16).',
  ),
  delegations: count(5, 'A run may delegate this often, unless its agent says otherwise (G16).'),
  delegatedBytes: bytes(
    10 * MiB,
    'A run may send to and take from other agents this much, unless its agent says otherwise (G16).',
  ),
  transactionDeadline: ms(
    8 * second,
    'The store tries a conflicting transaction again for this long.',
  ),
  filesCount: count(10_000, 'The folder of a task holds at most this many files.'),
  filesBytes: bytes(
    96 * MiB,
    'The folder of a task holds at most this much; the disk of a function is its memory.',
  ),
  filesFileBytes: bytes(64 * MiB, 'A file in the folder of a task has at most this many bytes.'),
  filesDepth: count(32, 'The folder of a task is at most this many levels deep.'),
  filesKept: bytes(
    64 * MiB,
    'Folders that no task uses are kept for the next one of their context, up to this size.',
  ),
  filesGrace: ms(
    15 * minute,
    'Packs that were gathered into others are deleted after this long; at least a segment.',
  ),
  filesOrphans: ms(
    2 * hour,
    'Uploads of files that no row names are deleted when they are this old; at least a segment.',
  ),
  filesPurge: ms(
    hour,
    'Files of tasks whose retention is over are removed together, at most this long after the tasks.',
  ),
  revocationDelay: ms(
    10 * second,
    'A revoked API key lets no one in after this long at the latest: a process that has seen one does not look it up again before.',
  ),
  revokedRetention: ms(
    30 * 24 * hour,
    'An API key that was revoked or ran out is removed after this long; until then lists show it.',
  ),
  agentSilence: ms(
    30 * second,
    'An agent in a process of its own that does not hand its thread back for this long is ended, and its run with it (docs/isolation.md); 0: never.',
  ),
  agentMemory: bytes(
    512 * MiB,
    'The heap of an agent in a process of its own has at most this much, and the process 256 MiB more (docs/isolation.md).',
  ),
  approvalAge: ms(
    0,
    'The sweeper says in its log that an approval has waited for longer than this, for the alert on it; 0: it does not look.',
  ),
  shards: count(
    8,
    'New runs are spread over so many ranges of the index of due rows, so that it has no single hot end; at most 500.',
  ),
  listShards: count(
    1,
    'New tasks of one caller are spread over so many ranges of its list; at most 100.',
  ),
} as const satisfies Readonly<Record<string, Setting>>;

/** Times in milliseconds, sizes in bytes. */
export type Settings = { readonly [name in keyof typeof SETTINGS]: number };
export type SettingName = keyof Settings;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export const defaults = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].value]),
) as Settings;
