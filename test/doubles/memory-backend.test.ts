import { backendSuite } from '../conformance/backend.suite.ts';
import { followSuite } from '../conformance/follow.suite.ts';
import { watchSuite } from '../conformance/watch.suite.ts';
import { querySuite } from '../conformance/query.suite.ts';
import { MemoryBackend } from './memory-backend.ts';

// The simulator stands on this double, so it has to be a backend like the others.
const open = () => {
  const backend = new MemoryBackend();
  return Promise.resolve({ backend, close: () => backend.close() });
};

backendSuite('memory', open);
querySuite('memory', open);
followSuite('memory', open);
watchSuite('memory', open);
