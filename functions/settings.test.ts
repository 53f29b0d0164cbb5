import { describe, expect, it } from 'vitest';
import { defaults } from '../shared/domain/settings.ts';
import { BadConfiguration, settingsFrom, variableOf } from './settings.ts';
import { readArguments } from './start/arguments.ts';

describe('settings', () => {
  it('every number has a variable, and a flag goes before it', () => {
    expect(variableOf('blockingCap')).toBe('HOLDFAST_BLOCKING_CAP');
    expect(settingsFrom({}).lease).toBe(defaults.lease);
    expect(settingsFrom({ HOLDFAST_LEASE: '90000' }).lease).toBe(90_000);
    expect(settingsFrom({ HOLDFAST_LEASE: '90000' }, ['lease=70000']).lease).toBe(70_000);
  });

  it.each([
    [{ HOLDFAST_LEASE: 'soon' }, [], /HOLDFAST_LEASE \(lease\) is "soon"/],
    [{ HOLDFAST_LEASE: '-1' }, [], /HOLDFAST_LEASE/],
    [{}, ['lease'], /--set lease: give name=value/],
    [{}, ['leese=1'], /--set leese=1/],
    [{}, ['lease=10000'], /leaseRenewal must be at most half of lease/],
    [{}, ['retention=3600000'], /retention must be at least a day/],
    [{}, ['inlineContent=500000'], /inlineContent must be at most/],
    [{}, ['pageSizeMax=500'], /pageSizeMax must be at most 100/],
  ])('what can not be used is refused by its name (%j %j)', (environment, given, message) => {
    expect(() => settingsFrom(environment, given)).toThrow(BadConfiguration);
    expect(() => settingsFrom(environment, given)).toThrow(message);
  });
});

describe('the command line', () => {
  it('flags go before variables, and variables before defaults', () => {
    expect(readArguments([], {})).toMatchObject({
      port: 8080,
      store: 'embedded',
      idempotency: 'authenticated',
      v03: false,
    });
    expect(readArguments([], { PORT: '9000', HOLDFAST_V03: 'true' })).toMatchObject({
      port: 9000,
      v03: true,
    });
    expect(readArguments(['--port', '9001'], { PORT: '9000' })).toMatchObject({ port: 9001 });
    expect(readArguments(['--help'], {})).toBeUndefined();
  });

  it.each([
    [['--port', 'x'], /--port is "x"/],
    [['--port', '70000'], /--port/],
    [['--store', 'oracle'], /--store is "oracle"; it must be one of embedded, firestore, google/],
    [['--store', 'firestore'], /needs --project/],
    [['--base-url', 'nowhere'], /--base-url is "nowhere"/],
    [['--card-signers', 'key.pem'], /--card-signers needs --base-url/],
    [['--idempotency', 'sometimes'], /must be one of authenticated, always, off/],
    [['--answer-ceiling', 'some'], /must be one of none, metadata, redacted, full/],
    [['--frobnicate'], /see --help/],
    [['extra'], /see --help/],
  ])('%j is refused, and the message says what would be right', (args, message) => {
    expect(() => readArguments(args, {})).toThrow(BadConfiguration);
    expect(() => readArguments(args, {})).toThrow(message);
  });
});
