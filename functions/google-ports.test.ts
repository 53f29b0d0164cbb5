import { expect, it } from 'vitest';
import { NOWHERE } from '../test/fixtures/deployed-variables.ts';
import { defaults } from '../shared/domain/settings.ts';
import { openGooglePorts } from './google-ports.ts';

const VARIABLES = new Map(
  Object.entries({ ...NOWHERE, GOOGLE_CLOUD_PROJECT: 'project', HOLDFAST_KMS: 'key' }),
);

it('a command whose stdout is its answer logs elsewhere', () => {
  const lines: string[] = [];
  const logTo = { write: (line: string) => lines.push(line) };
  const options = {
    settings: defaults,
    remotePrivate: [],
    allowPrivateWebhooks: false,
    log: 'info',
    logTo,
  } as const;
  openGooglePorts(VARIABLES, {}, options).log.write('info', 'something happened');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'something happened' });
});
