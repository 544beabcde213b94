import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { ListLogDto } from './list-log.dto.js';

describe('ListLogDto, a time', () => {
  const { parse } = Date;
  // As on a server in New York, for times without a zone.
  beforeEach(() => {
    Date.parse = (text) => parse(text) + (/T[\d:.]+$|\d [\d:.]+$/.test(text) ? 5 * 3_600_000 : 0);
  });
  afterEach(() => {
    Date.parse = parse;
  });

  it.each([
    ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000Z'],
    ['2030-01-31T09:00:00+02:00', '2030-01-31T07:00:00.000Z'],
    ['2030-01-31T09:00:00-0500', '2030-01-31T14:00:00.000Z'],
    ['2030-01-31T09:00:00', '2030-01-31T09:00:00.000Z'],
    ['2030-01-31T09:00', '2030-01-31T09:00:00.000Z'],
    ['2030-01-31T09:00:00.5', '2030-01-31T09:00:00.500Z'],
    ['2030-01-31 09:00', '2030-01-31T09:00:00.000Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
  ])('%s is %s, wherever the gateway stands', (text, expected) => {
    const { from, until } = plainToInstance(ListLogDto, { from: text, until: text });
    expect([from, until]).toEqual([parse(expected), parse(expected)]);
  });

  it.each(['2030-13-01', '2030-01-31T', '2030-01-31Tx', 'noon', '09:00'])('%s is none', (text) => {
    expect(plainToInstance(ListLogDto, { from: text }).from).toBe(text);
  });
});
