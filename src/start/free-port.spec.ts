import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { requireFreePort, takenPort } from './free-port.js';

it('tells a port that is taken, and leaves one that is free', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const error: unknown = await requireFreePort(port, '127.0.0.1').catch((reason: unknown) => reason);
  expect(takenPort(error)).toBe(
    `Port ${port} is taken: something else listens at 127.0.0.1. Stop it, or set PORT to another.`,
  );
  other.close();
  await once(other, 'close');
  await requireFreePort(port, '127.0.0.1');
  await requireFreePort(port, '127.0.0.1');
});

it('names the settings of an address that is not of this machine', async () => {
  await expect(requireFreePort(26405, '192.0.2.1')).rejects.toThrow(/ \(HOST 192\.0\.2\.1, PORT 26405\)$/);
});

it('says nothing of other errors', () => {
  expect(takenPort(Object.assign(new Error('listen EACCES'), { code: 'EACCES', port: 80 }))).toBeUndefined();
});
