import { describe, expect, it } from '@jest/globals';
import { toTraceparent, traceContext } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const HEADER = `00-${TRACE}-${PARENT}-01`;

describe('traceContext', () => {
  it('passes the place of the caller on where nothing is exported', () => {
    const context = traceContext(HEADER, false);
    expect(context).toEqual({ traceId: TRACE, parentId: PARENT, flags: '01' });
    expect(context && toTraceparent(context)).toBe(HEADER);
  });

  it('puts the request below its caller where it is exported', () => {
    const context = traceContext(`00-${TRACE}-${PARENT}-00`, true);
    expect(context).toEqual({
      traceId: TRACE,
      parentId: PARENT,
      spanId: expect.stringMatching(/^[\da-f]{16}$/),
      flags: '00',
    });
    expect(context && toTraceparent(context)).toBe(`00-${TRACE}-${context?.spanId}-00`);
  });

  it('takes a later version by the fields that it knows', () => {
    expect(traceContext(`cc-${TRACE}-${PARENT}-01-more`, false)).toMatchObject({ parentId: PARENT });
  });

  it.each([
    undefined,
    '',
    'x',
    [HEADER],
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `${HEADER}0`,
  ])('begins a trace of its own for %j, or none', (header) => {
    expect(traceContext(header, false)).toBeUndefined();
    expect(traceContext(header, true)).toEqual({
      traceId: expect.stringMatching(/^[\da-f]{32}$/),
      spanId: expect.stringMatching(/^[\da-f]{16}$/),
      flags: '01',
    });
  });
});
