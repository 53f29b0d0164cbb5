import { expect, onTestFinished, test } from 'vitest';
import { startKmsEmulator } from '../../emulators/kms/start.ts';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import { faultOf } from '../../shared/gcp/firestore/outcome.ts';
import { createKmsSealer } from '../../shared/gcp/kms/sealer.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { World } from '../app/world.ts';
import { wrapped } from '../app/wrapped.ts';

// What is refused may be allowed later: rights take minutes to spread, billing comes back, a key is
// enabled again.

const large = new Uint8Array(300 * 1024).fill(65);
/** Told of each segment that begins. */
const seen = { begun: (): void => {} };
const agent = defineAgent({
  name: 'large',
  description: 'Answers at length.',
  async run(ctx) {
    seen.begun();
    await ctx.artifact({ artifactId: 'a', parts: [{ raw: large, mediaType: 'text/plain' }] });
    return 'done';
  },
});

type Service = 'Cloud Storage' | 'Cloud KMS' | 'Firestore';

async function open() {
  const storage = await startStorageEmulator();
  storage.buckets.create('objects');
  const kms = await startKmsEmulator();
  onTestFinished(async () => {
    await storage.close();
    await kms.close();
  });
  const keyName = 'projects/p/locations/l/keyRings/r/cryptoKeys/k';
  kms.key(keyName);
  const denied = new Set<Service>();
  storage.plan(() => (denied.has('Cloud Storage') ? 'denied' : undefined));
  kms.plan(() => (denied.has('Cloud KMS') ? 'denied' : undefined));
  const options = {
    sealer: createKmsSealer({ keyName, endpoint: kms.url }),
    wrapBlobs: () => createGcsBlobs({ bucket: 'objects', endpoint: storage.url }),
    wrap: (backend: Backend) => refusing(backend, () => denied.has('Firestore')),
  };
  const front = new World(agent, options);
  // It holds no key in its memory.
  const worker = new World(agent, { ...options, below: front });
  const [part] = [{ raw: large, mediaType: 'text/plain' }];
  const sent = await front.trySend([part]);
  if (sent.kind !== 'accepted') throw new Error('refused');
  worker.queue.push(...front.queue.splice(0));

  /** Delivers what is due, and sweeps, for so many minutes; answers what the queue was told. */
  const pass = async (minutes: number): Promise<Set<string>> => {
    const outcomes = new Set<string>();
    for (let minute = 0; minute < minutes; minute += 1) {
      const due = worker.queue.filter(({ at }) => at <= worker.clock.now());
      for (const wakeUp of due) {
        worker.queue.splice(worker.queue.indexOf(wakeUp), 1);
        const outcome = await handleWakeUp(worker.app, wakeUp);
        outcomes.add(outcome);
        if (outcome === 'again') worker.queue.push(wakeUp);
      }
      await worker.clock.advance(60_000);
      await sweep(worker.app).catch(() => undefined);
    }
    return outcomes;
  };
  return { worker, denied, pass, taskId: sent.taskId };
}

function refusing(backend: Backend, denied: () => boolean): Backend {
  const allowed = (): void => {
    if (denied()) throw faultOf(Object.assign(new Error('Missing permissions.'), { code: 7 }));
  };
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    allowed();
    return call();
  };
  return wrapped(backend, {
    read: (paths) => ask(() => backend.read(paths)),
    commit: (checks, writes) => ask(() => backend.commit(checks, writes)),
    query: (query, after) => ask(() => backend.query(query, after)),
    count: (query) => ask(() => backend.count(query)),
  });
}

test.each(['Cloud Storage', 'Cloud KMS', 'Firestore'] as const)(
  'a run that %s refuses for half an hour completes once it is allowed again, and the queue is told to repeat',
  async (service) => {
    const { worker, denied, pass, taskId } = await open();
    denied.add(service);
    const outcomes = await pass(30);
    denied.clear();
    expect((await worker.get(taskId)).status.state).not.toBe('FAILED');
    // What a delivery could put off is done; all else is an error of the function, which an alert
    // counts.
    if (service !== 'Cloud Storage') expect(outcomes).toEqual(new Set(['again']));
    await pass(15);
    expect((await worker.get(taskId)).status.state).toBe('COMPLETED');
  },
);

test('a run whose result is refused is put off, without an attempt counted, and completes', async () => {
  const { worker, denied, pass, taskId } = await open();
  let segments = 0;
  seen.begun = () => {
    segments += 1;
    // The message was read; what follows is what the agent made.
    if (segments <= 6) denied.add('Cloud Storage');
  };
  onTestFinished(() => void (seen.begun = () => {}));
  const counted: unknown[] = [];
  for (let time = 0; time < 8; time += 1) {
    await pass(15);
    counted.push((await worker.app.store.get(runDoc(taskId)))?.attempts);
    denied.clear();
  }
  expect((await worker.get(taskId)).status.state).toBe('COMPLETED');
  expect(segments).toBe(7);
  expect(new Set(counted)).toEqual(new Set([0]));
});
