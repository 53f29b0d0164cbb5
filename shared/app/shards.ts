/** Over how many shards rows are spread, each an index range of its own. */
export interface ShardCounts {
  /** Of the rows of runs and of receipts. */
  readonly runs: number;
  /** Of what one caller can list. */
  readonly lists: number;
}

/**
 * A number that can be changed while the installation runs, and no row is missed (decision 0024).
 */
export interface Shards {
  /** Where rows may lie. Throws Unavailable. */
  toRead(): Promise<ShardCounts>;
  /** Where new rows go: nowhere that another process would not look. Throws Unavailable. */
  toWrite(): Promise<ShardCounts>;
}
