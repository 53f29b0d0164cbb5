import { describe, expect, test } from 'vitest';
import { isInside, isPublic, objectionTo } from './address-guard.ts';

const INSIDE = [
  // loopback, unspecified
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '::1',
  '::',
  // private
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  // link-local and what hands out credentials there
  '169.254.0.1',
  '169.254.169.254',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  '2606:4700::1%eth0',
  // unique-local, site-local
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fdff:ffff::1',
  'fec0::1',
  // shared by carriers; a metadata address among them
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  // multicast, broadcast, reserved
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  'ff02::1',
  'ff0e::1',
  // protocols, benchmarks, documentation
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  // IPv4 inside of IPv6: mapped, compatible, NAT64, 6to4, Teredo
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:0:7f00:1::',
  // no addresses
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '1.2.3.4.5',
  ':::',
];
const OUTSIDE = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:4860::8888',
];

describe('an address', () => {
  test.each(INSIDE)('%j is nothing that is public', (address) => {
    expect(isPublic(address)).toBe(false);
  });
  test.each(OUTSIDE)('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe('a host that may have private addresses', () => {
  const local = new URL('http://localhost:4000/a2a');

  test.each([true, ['localhost'], ['localhost:4000']])('is allowed by %j', (allow) => {
    expect(objectionTo(local, '127.0.0.1', allow)).toBeUndefined();
    expect(objectionTo(local, '::1', allow)).toBeUndefined();
    expect(isInside(local, allow)).toBe(false);
  });

  test.each([false, [], ['127.0.0.1'], ['localhost:4001'], ['host']])('is not by %j', (allow) => {
    expect(objectionTo(local, '127.0.0.1', allow)).toBe('private address');
    expect(isInside(local, allow)).toBe(true);
    expect(objectionTo(new URL('https://localhost'), '8.8.8.8', allow)).toBeUndefined();
  });

  test('gets nothing in clear at a public address', () => {
    expect(objectionTo(local, '8.8.8.8', true)).toBe('not https');
  });

  test.each([
    '169.254.169.254',
    '100.100.100.200',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    'fe80::a9fe:a9fe%eth0',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
  ])('does not open what hands out credentials: %s', (address) => {
    expect(objectionTo(local, address, true)).toBe('private address');
  });
});

describe('a host by its name alone', () => {
  test.each([
    'localhost',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'db.prod.internal',
    'router.home.arpa',
    'api.default.svc.cluster.local',
    'metadata',
    'kubernetes',
    'nas.lan',
  ])('is inside: %s', (host) => {
    expect(isInside(new URL(`https://${host}/`), false)).toBe(true);
    expect(isInside(new URL(`https://${host}/`), [host])).toBe(false);
  });

  test.each(['peer.example', 'internal.example', 'localhost.example', 'local.co'])(
    'is not inside: %s',
    (host) => {
      expect(isInside(new URL(`https://${host}/`), false)).toBe(false);
    },
  );
});
