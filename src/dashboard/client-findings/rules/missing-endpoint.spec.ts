import { describe, expect, it } from '@jest/globals';
import { askingFor } from '../../../../test/support/clients/client-traffic.js';
import { missingEndpoint } from './missing-endpoint.js';

describe('missingEndpoint', () => {
  it('says for what another service is wanted', () => {
    expect(missingEndpoint(askingFor('/v1/embeddings'))).toMatchObject([
      { symptom: expect.stringContaining('/v1/embeddings'), cure: expect.stringContaining('for embeddings') },
    ]);
    expect(missingEndpoint(askingFor('/v1/audio/speech'))).toHaveLength(1);
    expect(missingEndpoint(askingFor('/v1beta/models/gemini-embedding-001:embedContent'))).toHaveLength(1);
  });

  it.each([
    ['/v1/embeddings', 1],
    ['/v1/filesystem', 9],
    ['/embeddings', 9],
    ['/v1/chat', 9],
    ['/v1beta/models/none:generateContent', 9],
  ])('finds nothing at %s asked for %i times', (path, count) => {
    expect(missingEndpoint(askingFor(path, count))).toEqual([]);
  });
});
