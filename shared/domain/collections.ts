/** Direction and field of one component of a composite index. */
export interface IndexField {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  /**
   * Only narrows what the same index without this field would find. Firestore needs an index of its
   * own for it. On one machine each index costs every commit a page, and to sort 100,000 entries of
   * one index out takes some milliseconds.
   */
  readonly narrows?: true;
  /** Few rows have it: on one machine the others cost nothing. Firestore does so anyway. */
  readonly sparse?: true;
}

/**
 * A collection of documents, and the composite indexes that the code's queries need. Adapters and
 * Terraform read this list.
 */
export interface CollectionShape {
  /**
   * Last collection segment of its documents' paths: `revisions` for `runs/{taskId}/revisions/{n}`.
   */
  readonly name: string;
  /** The document id is always the last component; it is not listed. */
  readonly indexes: readonly (readonly IndexField[])[];
}

const asc = (field: string): IndexField => ({ field, direction: 'asc' });
const desc = (field: string): IndexField => ({ field, direction: 'desc' });
const sparse = (each: IndexField): IndexField => ({ ...each, sparse: true });
const narrow = (field: string): IndexField => ({ ...asc(field), narrows: true });

/**
 * The list page of one caller, by each combination of filters, and the second walk over what moved
 * meanwhile.
 */
const listed = (...filters: readonly IndexField[]): readonly (readonly IndexField[])[] => [
  [...filters, desc('statusAt')],
  [...filters, asc('statusAt')],
];

export const collections = {
  runs: {
    name: 'runs',
    indexes: [
      [asc('shard'), asc('dueAt')],
      // What an operator looks at, newest first; by shard, so that no index has one hot end.
      [asc('shard'), desc('statusAt')],
      [asc('shard'), narrow('status'), desc('statusAt')],
      [asc('shard'), narrow('agent'), desc('statusAt')],
      [asc('shard'), narrow('contextId'), desc('statusAt')],
      // An inbox shows the longest wait first.
      [asc('shard'), narrow('status'), asc('statusAt')],
      // Few rows have one of these: runs that failed, and those that only an operator can help.
      [asc('shard'), narrow('reason'), desc('statusAt')],
      [asc('shard'), narrow('attention'), desc('statusAt')],
      // By age: written once, when the run is accepted.
      [asc('shard'), desc('createdAt')],
      [asc('shard'), asc('createdAt')],
      // Only rows that cost something have it.
      [asc('shard'), sparse(desc('cost'))],
      // And those with something that the counters of costs do not have yet.
      [asc('shard'), sparse(asc('countAt'))],
    ],
  },
  // A run's work, which no caller sees.
  steps: { name: 'steps', indexes: [] },
  sends: { name: 'sends', indexes: [] },
  pushes: { name: 'pushes', indexes: [] },
  // Where a task's events go; those whose next attempt is due, and those that were given up.
  webhooks: {
    name: 'webhooks',
    indexes: [
      [asc('shard'), asc('dueAt')],
      [asc('shard'), desc('parkedAt')],
      // The longest wait of those.
      [asc('shard'), asc('parkedAt')],
    ],
  },
  // What operators are told, and how far.
  noticeTargets: { name: 'noticeTargets', indexes: [] },
  notices: { name: 'notices', indexes: [[asc('seq')], [asc('expiresAt')]] },
  // When agents begin tasks of their own accord; few, and read together.
  schedules: { name: 'schedules', indexes: [] },
  pauses: { name: 'pauses', indexes: [] },
  decisions: { name: 'decisions', indexes: [] },
  // What was delivered to it, and by which ids.
  signals: { name: 'signals', indexes: [] },
  signalIds: { name: 'signalIds', indexes: [] },
  revisions: { name: 'revisions', indexes: [] },
  contexts: { name: 'contexts', indexes: [] },
  inputs: { name: 'inputs', indexes: [] },
  // The files of a context.
  repositories: { name: 'repositories', indexes: [] },
  // Receipts expire in the order in which they were made: without shards their index would have one
  // hot end.
  receipts: { name: 'receipts', indexes: [[asc('taskId')], [asc('shard'), asc('expiresAt')]] },
  tasks: {
    name: 'tasks',
    indexes: [
      ...listed(asc('scope')),
      ...listed(asc('scope'), asc('contextId')),
      ...listed(asc('scope'), narrow('state')),
      ...listed(asc('scope'), asc('contextId'), narrow('state')),
    ],
  },
  events: { name: 'events', indexes: [] },
  // What operators did, in the order of their times, which are their ids.
  audit: { name: 'audit', indexes: [[asc('taskId')]] },
  // What callers prove themselves by; only hashes of it.
  apiKeys: { name: 'apiKeys', indexes: [] },
  // What an owner may still send; without content.
  quotas: { name: 'quotas', indexes: [] },
  // What models used and cost, counted; and the runs of each shard that ended in the last week.
  costs: { name: 'costs', indexes: [[asc('day')]] },
  ended: { name: 'ended', indexes: [] },
  // One document for each thing that is true of all rows.
  installation: { name: 'installation', indexes: [] },
} as const satisfies Record<string, CollectionShape>;

export const allCollections: readonly CollectionShape[] = Object.values(collections);
