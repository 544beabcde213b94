import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { webSocket } from './web-socket.js';

const asked = (count: number, path = '/v1/responses') =>
  trafficOf(refusalsOf(count, { reason: 'upgrade_required' }, { path }));

describe('webSocket', () => {
  it('is found where a client asks for one again and again', () => {
    expect(webSocket(asked(3))).toMatchObject([{ line: 'supports_websockets = false' }]);
  });

  it('is not found after a start or two, or elsewhere', () => {
    expect([...webSocket(asked(2)), ...webSocket(asked(9, '/v1/realtime'))]).toEqual([]);
  });
});
