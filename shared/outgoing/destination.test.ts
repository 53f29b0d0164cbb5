import { expect, test } from 'vitest';
import { destinationOf } from './destination.ts';

test.each([
  ['not a url', 'bad url'],
  ['', 'bad url'],
  ['/relative', 'bad url'],
  ['https://', 'bad url'],
  ['http://peer.example/', 'not https'],
  ['ftp://peer.example/', 'not https'],
  ['file:///etc/passwd', 'bad url'],
  ['data:text/plain,x', 'bad url'],
  ['javascript:alert(1)', 'bad url'],
  ['https://jane:secret@peer.example/', 'credentials in url'],
  ['https://jane@peer.example/', 'credentials in url'],
  ['http://127.0.0.1/', 'not https'],
  ['http://metadata.google.internal/', 'not https'],
  ['https://metadata.google.internal/', 'private address'],
  ['https://METADATA.google.internal./computeMetadata/v1/', 'private address'],
  ['https://db/', 'private address'],
  ['https://[::1]/', 'private address'],
  ['https://[::ffff:169.254.169.254]/', 'private address'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'private address'],
  ['https://[2002:a9fe:a9fe::]/', 'private address'],
  ['https://./', 'bad url'],
  [`https://peer.example/${'a'.repeat(2048)}`, 'bad url'],
])('%s leads nowhere: %s', (text, reason) => {
  expect(destinationOf(text, ['localhost'])).toEqual({ kind: 'bad', reason });
});

test('any port of a host by https, and plain http to an allowed one', () => {
  for (const text of ['https://peer.example:8443/a?b=c', 'http://localhost:1/']) {
    expect(destinationOf(text, ['localhost'])).toEqual({ kind: 'url', url: new URL(text) });
  }
});

test.each([
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
])('%s is a plain address afterwards, which the guard knows', (text) => {
  expect(destinationOf(text, false)).toEqual({ kind: 'bad', reason: 'private address' });
  const destination = destinationOf(text, ['127.0.0.1']);
  expect(destination.kind === 'url' && destination.url.hostname).toBe('127.0.0.1');
});

test('a name has no dot behind it, so that certificates and lists know it', () => {
  const destination = destinationOf('https://peer.example.:8443/a', false);
  expect(destination).toEqual({ kind: 'url', url: new URL('https://peer.example:8443/a') });
});
