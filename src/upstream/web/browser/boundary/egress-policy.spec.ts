import { type LookupAddress } from 'node:dns';
import { describe, expect, it } from '@jest/globals';
import { EgressPolicy, type PageRules, RefusedError } from './egress-policy.js';

interface Answers {
  readonly rules?: Partial<PageRules>;
  /** Answers of the name server, in order; the last one repeats. */
  readonly answers: readonly (readonly string[] | Error)[];
}

/** A policy whose name server gives these answers. */
function policyWith({ rules, answers }: Answers): { policy: EgressPolicy; asked: string[] } {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<LookupAddress[]> => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    if (answer instanceof Error) {
      throw answer;
    }
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { policy: new EgressPolicy({ allowedOrigins: [], ...rules }, undefined, resolve), asked };
}

/** As `net.connect` asks. */
function lookUp(policy: EgressPolicy, name: string): Promise<string[]> {
  return new Promise((resolve, reject) =>
    policy.lookup(name, { all: true }, (error, found) => {
      if (error) {
        reject(error);
      } else {
        resolve((found as LookupAddress[]).map(({ address }) => address));
      }
    }),
  );
}

describe('EgressPolicy', () => {
  it('allows hosts and ports of its origins and no others', () => {
    const allowedOrigins = ['https://chat.example', 'http://api.example:8080', 'http://[::1]:3000'];
    const { policy } = policyWith({ rules: { allowedOrigins }, answers: [] });
    const asked: readonly (readonly [host: string, port: number])[] = [
      ['chat.example', 443],
      ['api.example', 8080],
      ['[::1]', 3000],
      ['chat.example', 80],
      ['api.example', 80],
      ['sub.chat.example', 443],
      ['chat.example.', 443],
      ['::1', 3000],
      ['127.0.0.1', 3000],
    ];
    expect(asked.filter(([host, port]) => policy.allows(host, port))).toEqual(asked.slice(0, 3));
  });

  it('resolves a name once, and keeps what it found whatever the name server says later', async () => {
    const { policy, asked } = policyWith({ answers: [['203.0.113.1', '2001:db8::1'], ['127.0.0.1']] });
    const found = await Promise.all([lookUp(policy, 'chat.example'), lookUp(policy, 'chat.example')]);
    found.push(await lookUp(policy, 'chat.example'));
    expect(found).toEqual(Array(3).fill(['203.0.113.1', '2001:db8::1']));
    expect(asked).toEqual(['chat.example']);
  });

  it('refuses a name that is aimed at an internal address after its first one failed', async () => {
    const { policy } = policyWith({ answers: [['203.0.113.1'], ['127.0.0.1'], ['203.0.113.2']] });
    await lookUp(policy, 'chat.example');
    policy.forget('chat.example');
    await expect(lookUp(policy, 'chat.example')).rejects.toThrow(
      new RefusedError('chat.example leads to an internal address (127.0.0.1)'),
    );
    await expect(lookUp(policy, 'chat.example')).resolves.toEqual(['203.0.113.2']);
  });

  it('leaves the internal ones of several addresses out', async () => {
    const { policy } = policyWith({ answers: [['10.0.0.8', '203.0.113.1', '::1', 'no address']] });
    await expect(lookUp(policy, 'chat.example')).resolves.toEqual(['203.0.113.1']);
  });

  it('takes private addresses where they are allowed, and never this machine or its link', async () => {
    const rules = { privateNetwork: true };
    const { policy } = policyWith({ rules, answers: [['10.0.0.8', '127.0.0.1', '169.254.169.254']] });
    await expect(lookUp(policy, 'chat.example')).resolves.toEqual(['10.0.0.8']);
  });

  it.each(['localhost', 'chat.localhost'])('takes %s for loopback, without a name server', async (name) => {
    const { policy, asked } = policyWith({ answers: [['203.0.113.1']] });
    await expect(lookUp(policy, name)).resolves.toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
  });

  it('gives one address to who asks for one', async () => {
    const { policy } = policyWith({ answers: [['203.0.113.1', '203.0.113.2']] });
    const one = await new Promise((resolve) =>
      policy.lookup('chat.example', {}, (...found) => resolve(found)),
    );
    expect(one).toEqual([null, '203.0.113.1', 4]);
  });

  it('asks again after a failure', async () => {
    const { policy } = policyWith({ answers: [new Error('no answer'), ['203.0.113.1']] });
    await expect(lookUp(policy, 'chat.example')).rejects.toThrow('no answer');
    await expect(lookUp(policy, 'chat.example')).resolves.toEqual(['203.0.113.1']);
  });
});
