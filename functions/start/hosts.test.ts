import { expect, test } from 'vitest';
import { hostsOf } from './hosts.ts';

const own = ['localhost', '127.0.0.1', '[::1]'];

test('on loopback the names are its own, the public one and those that a proxy uses', () => {
  const loopback = { host: '127.0.0.1', baseUrl: undefined, allowHost: [] };
  expect(hostsOf(loopback)).toEqual(own);
  expect(hostsOf({ ...loopback, host: '::1' })).toEqual(own);
  expect(hostsOf({ ...loopback, host: '127.0.0.2' })).toEqual([...own, '127.0.0.2']);
  const behind = { ...loopback, baseUrl: 'https://a.example:8443/x', allowHost: ['proxy.local'] };
  expect(hostsOf(behind)).toEqual([...own, 'a.example', 'proxy.local']);
});

test('on another address any name is taken, unless some are named', () => {
  const open = { host: '0.0.0.0', baseUrl: undefined, allowHost: [] };
  expect(hostsOf(open)).toBeUndefined();
  expect(hostsOf({ ...open, allowHost: ['a.example'] })).toContain('a.example');
});
