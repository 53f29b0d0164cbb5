import { BlockList, isIP } from 'node:net';
import type { Remote } from '../domain/remote.ts';

/**
 * True: every host. A list: these hosts, by name, with or without a port. They may be plain http,
 * too.
 */
export type AllowPrivate = boolean | readonly string[];

// Everything that the registries of special-purpose addresses do not call globally reachable (RFC
// 6890 and its successors).
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

// Inside the one block that is global: tunnels that hide an IPv4 address, and documentation.
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// Metadata services, which hand out a machine's credentials; no declaration allows these.
const METADATA_IPV4: readonly (readonly [string, number])[] = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
];
const METADATA_IPV6: readonly (readonly [string, number])[] = [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['::ffff:169.254.0.0', 112],
  ['::ffff:100.100.100.200', 128],
];

const special = listOf(SPECIAL_IPV4, SPECIAL_IPV6);
const metadata = listOf(METADATA_IPV4, METADATA_IPV6);
const global = listOf([], [['2000::', 3]]);

/** An address on the public internet. An address that is not known to be public is not. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  // A mapped IPv4 address, link-local ones with a zone, loopback and NAT64 are all outside of
  // 2000::/3.
  if (family !== 6 || address.includes('%')) return false;
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * What stands against a connection to this address, in the name of this host. Plain http goes to
 * private addresses alone: what it carries can be read on the way.
 */
export function objectionTo(
  host: URL,
  address: string,
  allow: AllowPrivate,
): 'private address' | 'not https' | undefined {
  if (isPublic(address)) return host.protocol === 'https:' ? undefined : 'not https';
  return mayBePrivate(host, address, allow) ? undefined : 'private address';
}

// Names that lead inside wherever they are asked: of the machine (RFC 6761), of the local link (RFC
// 6762), of a network at home (RFC 8375), of a private network by ICANN's word and by custom.
const INSIDE = /(^|\.)(localhost|local|internal|home\.arpa|localdomain|intranet|lan)$/;

/**
 * A host that is inside by what its URL says, unless it is allowed. A name without a dot is one of
 * a private network.
 */
export function isInside(url: URL, allow: AllowPrivate): boolean {
  const host = hostOf(url);
  if (isIP(host) !== 0) return !isPublic(host) && !mayBePrivate(url, host, allow);
  return (!host.includes('.') || INSIDE.test(host)) && !isAllowedHost(url, allow);
}

/** The host as sockets and resolvers take it. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function mayBePrivate(host: URL, address: string, allow: AllowPrivate): boolean {
  return isAllowedHost(host, allow) && !isMetadata(address);
}

export function isAllowedHost(url: URL, allow: AllowPrivate): boolean {
  if (typeof allow === 'boolean') return allow;
  return [url.hostname, url.host, withPort(url)].some((name) => allow.includes(name));
}

/**
 * What of the list is for this remote: the hosts and ports of its declaration, and what the list
 * says is its own (`remote=host`). So a card can't lead a message to another remote's private host.
 */
export function allowedFor(
  { card, credential, name }: Pick<Remote, 'card' | 'credential' | 'name'>,
  allow: AllowPrivate,
): AllowPrivate {
  if (typeof allow === 'boolean') return allow;
  const own = allow.flatMap((entry) => (entry.startsWith(`${name}=`) ? [afterEquals(entry)] : []));
  const declared = [card, credential?.origin ?? card].flatMap((text) => URL.parse(text) ?? []);
  return [...own, ...declared.filter((url) => isAllowedHost(url, allow)).map(withPort)];
}

const afterEquals = (entry: string): string => entry.slice(entry.indexOf('=') + 1);

const withPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;

function isMetadata(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return metadata.check(address, 'ipv4');
  return family !== 6 || address.includes('%') || metadata.check(address, 'ipv6');
}

function listOf(
  ipv4: readonly (readonly [string, number])[],
  ipv6: readonly (readonly [string, number])[],
): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ipv4) list.addSubnet(net, prefix, 'ipv4');
  for (const [net, prefix] of ipv6) list.addSubnet(net, prefix, 'ipv6');
  return list;
}
