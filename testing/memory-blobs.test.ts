import { systemClock } from '../shared/system/system-clock.ts';
import { blobsSuite } from '../test/conformance/blobs.suite.ts';
import { MemoryBlobs } from './memory-blobs.ts';

// The simulator stands on this double, so it has to keep objects like the others.
blobsSuite('memory', async () => ({ blobs: new MemoryBlobs(systemClock), close: async () => {} }));
