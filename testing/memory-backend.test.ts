import { backendSuite } from '../test/conformance/backend.suite.ts';
import { followSuite } from '../test/conformance/follow.suite.ts';
import { watchSuite } from '../test/conformance/watch.suite.ts';
import { querySuite } from '../test/conformance/query.suite.ts';
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
