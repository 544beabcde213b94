import { BlockList, isIPv6 } from 'node:net';

/** Networks of organisations and homes (RFC 1918, 4193), and of providers' customers (RFC 6598). */
const PRIVATE = blockList([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
]);

/**
 * This machine, its link (where clouds serve credentials; some do so in a private network), and whatever else no site has
 * (RFC 6890), with ranges of IPv6 that lead to an IPv4 address. Of `::ffff:0:0/96` a BlockList checks the IPv4 address itself.
 */
const RESERVED = blockList([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32], // Alibaba Cloud
  ['fd00:ec2::', 32], // AWS
  ['fd20:ce::', 32], // Google Cloud
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['2001::', 32],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/** Whether an IP address belongs to a private network. */
export function isPrivate(address: string): boolean {
  return PRIVATE.check(address, familyOf(address));
}

/** Whether an IP address is this machine, its link, or no single host of the internet. */
export function isReserved(address: string): boolean {
  return RESERVED.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function blockList(subnets: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  subnets.forEach(([network, prefix]) => list.addSubnet(network, prefix, familyOf(network)));
  return list;
}
