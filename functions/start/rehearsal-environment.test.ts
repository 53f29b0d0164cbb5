import { describe, expect, test } from 'vitest';
import { FUNCTIONS, WAITING } from '../function-names.ts';
import { readArguments } from './arguments.ts';
import { environmentFor, variablesFor } from './rehearsal-environment.ts';

const mine = {
  PATH: '/bin',
  NODE_OPTIONS: '--import x',
  GOOGLE_GENERATIVE_AI_API_KEY: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  'carrier-token': 'secret',
  HOLDFAST_TOKEN: 'of an operator',
  HOLDFAST_OPERATORS: '{}',
  HOLDFAST_MODEL_PRICES: '{}',
  HOLDFAST_TRACES: 'otlp',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example',
  FIRESTORE_EMULATOR_HOST: '127.0.0.1:1',
};

describe('what a function of the rehearsal is given', () => {
  test.each(FUNCTIONS)('%s has what it runs by, and no token of an operator', (name) => {
    const given = environmentFor(name, mine);
    expect(given).toMatchObject({
      PATH: '/bin',
      NODE_OPTIONS: '--import x',
      HOLDFAST_TRACES: 'otlp',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example',
      FIRESTORE_EMULATOR_HOST: '127.0.0.1:1',
    });
    expect(given).not.toHaveProperty('HOLDFAST_TOKEN');
  });

  test.each(FUNCTIONS)(
    '%s has secrets of the developer only if it runs agents or calls remotes',
    (name) => {
      const given = environmentFor(name, mine);
      const secrets = ['GOOGLE_GENERATIVE_AI_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'carrier-token'];
      for (const secret of [...secrets, 'HOLDFAST_OPERATORS'])
        expect(Object.hasOwn(given, secret), secret).toBe(WAITING.includes(name));
      expect(Object.hasOwn(given, 'HOLDFAST_MODEL_PRICES')).toBe(
        ['worker', 'operator'].includes(name),
      );
    },
  );

  test('is of what the rehearsal sets just what Terraform would set', () => {
    const everywhere = { HOLDFAST_BUCKET: 'b', HOLDFAST_STORAGE_ENDPOINT: 'http://x' };
    const set = { HOLDFAST_ISSUERS: '[]', ...everywhere };
    expect(variablesFor('a2a', set)).toEqual(set);
    expect(variablesFor('worker', set)).toEqual(everywhere);
  });

  test('is what the command line says of every option that a deployed function has', () => {
    const console = 'https://ops.example';
    const args = ['--notices', '[]', '--v0.3', '--access', 'keys', '--console-url', console];
    const { said = {} } = readArguments(args, { HOLDFAST_MODEL_PRICES: '{}' }) ?? {};
    expect(variablesFor('push', said)).toMatchObject({
      HOLDFAST_NOTICES: '[]',
      HOLDFAST_CONSOLE_URL: console,
    });
    expect(variablesFor('a2a', said)).toMatchObject({
      HOLDFAST_V03: 'true',
      HOLDFAST_ACCESS: 'keys',
    });
    expect(said).toMatchObject({ HOLDFAST_MODEL_PRICES: '{}', HOLDFAST_LOG: 'warning' });
    expect(said).not.toHaveProperty('HOLDFAST_CHECK_INPUT_MODES');
  });
});
