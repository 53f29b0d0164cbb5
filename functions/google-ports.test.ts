import { expect, it } from 'vitest';
import { defaults } from '../shared/domain/settings.ts';
import { openGooglePorts } from './google-ports.ts';

const VARIABLES = new Map(
  Object.entries({
    GOOGLE_CLOUD_PROJECT: 'project',
    HOLDFAST_DATABASE: 'database',
    HOLDFAST_BUCKET: 'bucket',
    HOLDFAST_KMS: 'key',
    HOLDFAST_LOCATION: 'location',
    HOLDFAST_QUEUE_PREFIX: 'holdfast',
    HOLDFAST_QUEUE_SHARDS: '1',
    HOLDFAST_QUEUE_GENERATION: '1',
    HOLDFAST_WORKER_URL: 'http://127.0.0.1:1',
    HOLDFAST_PROJECTOR_URL: 'http://127.0.0.1:1',
    HOLDFAST_COORDINATOR_URL: 'http://127.0.0.1:1',
    HOLDFAST_PUSH_URL: 'http://127.0.0.1:1',
    HOLDFAST_INVOKER: 'invoker@example.com',
  }),
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
