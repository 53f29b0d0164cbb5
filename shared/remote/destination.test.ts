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
  const destination = destinationOf(text, false);
  expect(destination.kind === 'url' && destination.url.hostname).toBe('127.0.0.1');
});
