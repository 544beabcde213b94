import { type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Settings } from '../../config/settings.js';
import { InvalidRequestError, TooManyRequestsError } from '../../errors/gateway.errors.js';
import { ADMITTED_AT_ONCE_BYTES, admittedBytes, BodyAdmission } from './body-admission.js';

const MIB = 2 ** 20;
const LIMIT = admittedBytes(getHeapStatistics().heap_size_limit);
const HALF = Math.floor(LIMIT / 2);

/** A response as far as admission looks at it. */
const answer = (): ServerResponse => new PassThrough() as unknown as ServerResponse;

const end = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => response.once('close', resolve).destroy());

describe('BodyAdmission', () => {
  let admission: BodyAdmission;
  let admitted: string[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    admission = new BodyAdmission(Object.assign(new Settings(), { POOL_ACQUIRE_TIMEOUT_MS: 1000 }));
    admitted = [];
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  /** Has a body of a name wait. */
  const wait = (name: string, bytes: number, owner?: string, response = answer()): ServerResponse => {
    admission.waitForRoom(bytes, response, owner)?.then(
      () => admitted.push(name),
      (error: unknown) => admitted.push(`${name}: ${(error as Error).constructor.name}`),
    );
    return response;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test.each([
    [4096, 168],
    [304, 10],
    [64, 0],
  ])('lets in with a heap of %d MiB about %d MiB', (heapMib, limitMib) => {
    expect(admittedBytes(heapMib * MIB)).toBe(limitMib * MIB);
  });

  test('does not count small bodies', () => {
    expect(admission.waitForRoom(LIMIT, answer())).toBeUndefined();
    expect(admission.waitForRoom(ADMITTED_AT_ONCE_BYTES - 1, answer())).toBeUndefined();
  });

  test('keeps the room of work that goes on after its answer', async () => {
    const first = answer();
    expect(admission.waitForRoom(LIMIT, first, 'a')).toBeUndefined();
    const release = admission.keep(first);
    await end(first);
    wait('second', HALF);
    await settled();
    expect(admitted).toEqual([]);
    // Work that began after its caller had left.
    const again = admission.keep(first);
    release();
    await settled();
    expect(admitted).toEqual([]);
    again();
    await settled();
    expect(admitted).toEqual(['second']);
    const late = admission.keep(first);
    wait('third', LIMIT - HALF);
    await settled();
    expect(admitted).toEqual(['second']);
    late();
    await settled();
    expect(admitted).toEqual(['second', 'third']);
    admission.keep(answer())();
  });

  test('lets the next ones in, in their order, once answers have ended', async () => {
    const first = answer();
    const second = answer();
    expect([admission.waitForRoom(HALF, first), admission.waitForRoom(HALF, second)]).toEqual([
      undefined,
      undefined,
    ]);
    wait('third', LIMIT);
    wait('fourth', HALF);
    await end(first);
    await settled();
    expect(admitted).toEqual([]);
    await end(second);
    await settled();
    expect(admitted).toEqual(['third']);
    jest.advanceTimersByTime(1000);
    await settled();
    expect(admitted).toEqual(['third', 'fourth: TooManyRequestsError']);
  });

  test('lets in one that is too large for all, once it is alone', async () => {
    const first = answer();
    expect(admission.waitForRoom(HALF, first)).toBeUndefined();
    wait('huge', 3 * LIMIT);
    await end(first);
    await settled();
    expect(admitted).toEqual(['huge']);
  });

  test('passes over those of a key that has half of the memory', async () => {
    const first = answer();
    const quarter = Math.floor(LIMIT / 4);
    expect(admission.waitForRoom(HALF, first, 'a')).toBeUndefined();
    const leaver = wait('more of a', ADMITTED_AT_ONCE_BYTES, 'a');
    expect(admission.waitForRoom(quarter, answer(), 'b')).toBeUndefined();
    expect(admission.waitForRoom(quarter, answer())).toBeUndefined();
    wait('of c', quarter, 'c');
    await settled();
    expect(admitted).toEqual([]);
    await end(first);
    await settled();
    expect(admitted).toEqual(['more of a', 'of c']);
    await end(leaver);
    expect(admission.waitForRoom(quarter, answer(), 'a')).toBeUndefined();
  });

  test('refuses one after the time of a request for its turn, which frees those behind it', async () => {
    expect(admission.waitForRoom(HALF, answer())).toBeUndefined();
    const refused = admission.waitForRoom(LIMIT, answer());
    wait('small', HALF);
    const failure = expect(refused).rejects.toEqual(
      expect.objectContaining({ code: 'rate_limit', retryAfterMs: 1000 }),
    );
    jest.advanceTimersByTime(1000);
    await failure;
    await expect(refused).rejects.toBeInstanceOf(TooManyRequestsError);
    await settled();
    expect(admitted).toEqual(['small']);
  });

  test('lets in more for a response that holds all there is, of a key, too', async () => {
    const first = answer();
    expect(admission.waitForRoom(ADMITTED_AT_ONCE_BYTES, first, 'a')).toBeUndefined();
    wait('more', HALF, 'a', first);
    await settled();
    wait('most', LIMIT, 'a', first);
    wait('other', HALF, 'b');
    await settled();
    expect(admitted).toEqual(['more', 'most']);
    await end(first);
    await settled();
    expect(admitted).toEqual(['more', 'most', 'other']);
    expect(admission.waitForRoom(HALF, answer(), 'a')).toBeUndefined();
  });

  test.each([undefined, 'a'])(
    'lets those of %s in one by one that hold some and need more',
    async (owner) => {
      const quarter = Math.floor(LIMIT / 4);
      const [first, second] = [answer(), answer()];
      expect([first, second].map((response) => admission.waitForRoom(quarter, response, owner))).toEqual([
        undefined,
        undefined,
      ]);
      const last = answer();
      expect(admission.waitForRoom(2 * quarter, last, 'b')).toBeUndefined();
      wait('new', quarter);
      wait('more of first', 3 * quarter, owner, first);
      wait('more of second', 3 * quarter, owner, second);
      await settled();
      expect(admitted).toEqual([]);
      await end(last);
      await settled();
      expect(admitted).toEqual(['more of first']);
      await end(first);
      await settled();
      expect(admitted).toEqual(['more of first', 'more of second']);
      await end(second);
      await settled();
      expect(admitted).toEqual(['more of first', 'more of second', 'new']);
    },
  );

  test('gives back what a response holds that leaves while it waits for more', async () => {
    const [first, second] = [answer(), answer()];
    expect(admission.waitForRoom(HALF, first, 'a')).toBeUndefined();
    expect(admission.waitForRoom(HALF, second, 'b')).toBeUndefined();
    wait('more of first', HALF, 'a', first);
    await end(first);
    await settled();
    expect(admitted).toEqual(['more of first: InvalidRequestError']);
    await end(second);
    expect(admission.waitForRoom(LIMIT, answer(), 'a')).toBeUndefined();
  });

  test('forgets a caller who leaves', async () => {
    expect(admission.waitForRoom(LIMIT, answer())).toBeUndefined();
    const leaver = wait('leaver', HALF);
    const gone = answer();
    await end(gone);
    await end(leaver);
    await settled();
    expect(admitted).toEqual(['leaver: InvalidRequestError']);
    await expect(admission.waitForRoom(HALF, gone)).rejects.toBeInstanceOf(InvalidRequestError);
  });
});
