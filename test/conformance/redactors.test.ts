import { createPatternRedactor } from '../../shared/redaction/pattern-redactor.ts';
import { redactorSuite } from './redactor.suite.ts';

redactorSuite('patterns', async () => ({
  redactor: createPatternRedactor(),
  close: async () => {},
}));
