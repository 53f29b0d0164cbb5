import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWalThread, ToWalThread } from './wal-copier.ts';

/** What was written during a pass is copied by the next, which is shorter. */
const PASSES = 3;

const db = new DatabaseSync(String(workerData), { timeout: 1_000 });
db.exec('PRAGMA synchronous = NORMAL');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

parentPort?.on('message', (message: ToWalThread) => {
  if (message === 'end') {
    db.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(copy());
});

/** Copies the log until nothing was added meanwhile: the next commit then begins it anew. */
function copy(): FromWalThread {
  let copied: unknown;
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const { busy, checkpointed } = checkpoint.get() ?? {};
    // Busy: another process copies it.
    if (busy !== 0 || checkpointed === copied) return 'copied';
    copied = checkpointed;
  }
  return 'behind';
}
