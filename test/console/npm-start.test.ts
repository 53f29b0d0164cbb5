import { describe } from 'vitest';
import { STORE } from '../e2e/server.ts';
import { behaviourSuite } from './behaviour.suite.ts';
import { decidingSuite } from './deciding.suite.ts';
import { filesSuite } from './files.suite.ts';
import { outsideSuite } from './outside.suite.ts';
import { playgroundSuite } from './playground.suite.ts';
import { secondTrySuite } from './second-try.suite.ts';
import { useStage } from './stage.ts';
import { browserPath } from './use-console.ts';
import { viewsSuite } from './views.suite.ts';

// All of it over emulators of Google's services: HOLDFAST_E2E_STORE=google.
describe.skipIf(browserPath === undefined)('the console in a browser', () => {
  const stage = useStage(STORE);
  viewsSuite(stage);
  behaviourSuite(stage);
  playgroundSuite(stage);
  filesSuite(stage);
  outsideSuite(stage);
  secondTrySuite(stage);
  decidingSuite(stage);
});
