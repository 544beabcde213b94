import { describe, expect, it } from '@jest/globals';
import { codeRank, compareRanks, titleRank } from './naming-columns.js';

describe('titleRank', () => {
  it.each([
    ...['title', 'NAME', 'table_name', 'RoleName', 'fields.summary', 'payload.headers[Subject]', 'Package'],
    ...['UNIT', 'involvedObject', 'Image', 'Name (time in ns)'],
    ...['title.rendered', 'properties.Name.title[].plain_text', 'properties.Name.title[].text.content'],
  ])('takes %s for names', (column) => {
    expect(titleRank(column)).toBeDefined();
  });

  it.each(['id', 'status', 'renamed', 'description', 'text.content', 'username', ''])(
    'does not take %s for names',
    (column) => {
      expect(titleRank(column)).toBeUndefined();
    },
  );
});

describe('codeRank', () => {
  it.each(['id', '_id', 'number', 'shortId', 'key', 'version', 'node.GroupId'])(
    'takes %s for codes',
    (column) => {
      expect(codeRank(column)).toBeDefined();
    },
  );

  it.each(['paid', 'amount', 'identity'])('does not take %s for codes', (column) => {
    expect(codeRank(column)).toBeUndefined();
  });
});

describe('compareRanks', () => {
  it.each([
    ['name', 'owner.title'],
    ['title', 'name'],
    ['snippet.title', 'snippet.channelTitle'],
    ['name', 'size'],
  ])('puts %s before %s', (first, second) => {
    expect(compareRanks(titleRank(first), titleRank(second))).toBeLessThan(0);
    expect(compareRanks(titleRank(second), titleRank(first))).toBeGreaterThan(0);
  });
});
