import { createDlpRedactor } from '../../shared/gcp/dlp/redactor.ts';
import { createPatternRedactor } from '../../shared/redaction/pattern-redactor.ts';
import { startDlpEmulator } from '../../emulators/dlp/start.ts';
import { redactorSuite } from './redactor.suite.ts';

redactorSuite('patterns', async () => ({
  redactor: createPatternRedactor(),
  close: async () => {},
}));

redactorSuite('Sensitive Data Protection', async () => {
  const emulator = await startDlpEmulator();
  return {
    redactor: createDlpRedactor({ project: 'p', location: 'global', endpoint: emulator.url }),
    close: () => emulator.close(),
  };
});
