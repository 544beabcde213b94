import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { missingEndpoint } from './missing-endpoint.js';

const asked = (path: string, count = 2) => trafficOf(refusalsOf(count, { reason: 'not_found' }, { path }));

describe('missingEndpoint', () => {
  it('says for what another service is wanted', () => {
    expect(missingEndpoint(asked('/v1/embeddings'))).toMatchObject([
      { symptom: expect.stringContaining('/v1/embeddings'), cure: expect.stringContaining('for embeddings') },
    ]);
    expect(missingEndpoint(asked('/v1/audio/speech'))).toHaveLength(1);
    expect(missingEndpoint(asked('/v1beta/models/gemini-embedding-001:embedContent'))).toHaveLength(1);
  });

  it.each([
    ['/v1/embeddings', 1],
    ['/v1/filesystem', 9],
    ['/embeddings', 9],
    ['/v1/chat', 9],
    ['/v1beta/models/none:generateContent', 9],
  ])('finds nothing at %s asked for %i times', (path, count) => {
    expect(missingEndpoint(asked(path, count))).toEqual([]);
  });
});
