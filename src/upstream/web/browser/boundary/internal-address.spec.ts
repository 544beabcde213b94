import { describe, expect, it } from '@jest/globals';
import { isPrivate, isReserved } from './internal-address.js';

describe('isReserved', () => {
  it.each([
    '0.0.0.0',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '::ffff:0:7f00:1',
    'fe80::1',
    'ff02::1',
  ])('holds for %s', (address) => expect([isReserved(address), isPrivate(address)]).toEqual([true, false]));
});

it.each(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])(
  'keeps %s, where a cloud serves credentials, from whoever may reach private networks',
  (address) => expect(isReserved(address)).toBe(true),
);

describe('isPrivate', () => {
  it.each([
    '10.0.0.8',
    '100.64.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fd12::8',
    '::ffff:10.0.0.8',
  ])('holds for %s', (address) => expect([isReserved(address), isPrivate(address)]).toEqual([false, true]));
});

it.each(['8.8.8.8', '100.128.0.1', '172.32.0.1', '192.169.0.1', '169.255.0.1', '2606:4700::1111'])(
  'takes %s for an address of the internet',
  (address) => expect([isReserved(address), isPrivate(address)]).toEqual([false, false]),
);
