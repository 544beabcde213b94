import { describe, expect, it } from '@jest/globals';
import { examplesOf } from '../../../../test/compression/pattern-examples.js';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { SOURCE_ROOTS, xmlStrategy } from './xml.strategy.js';

const condense = (text: string): string | undefined => xmlStrategy.condense(text, strategyContext());

describe('xmlStrategy', () => {
  it('shows several rows of which names do not say all', () => {
    const rows = range(10, 35).map(
      (number) =>
        `<tool><name>tool ${number.toString(36)}</name><dep>base</dep><dep>lib-${number}</dep></tool>`,
    );
    const short = condense(`<tools>\n${rows.join('\n')}\n</tools>`) ?? '';
    rows.slice(0, 3).forEach((row) => expect(short).toContain(row));
  });

  it('keeps the failed cases of a test report and counts the others', () => {
    const cases = range(1, 30).map((number) =>
      number === 15
        ? '    <testcase name="case 15" time="0.2">\n      <failure message="boom">at a.ts:3</failure>\n    </testcase>'
        : `    <testcase name="case ${number}" time="0.1"/>`,
    );
    const report = `<?xml version="1.0"?>\n<testsuite tests="30" failures="1">\n${cases.join('\n')}\n</testsuite>\n`;
    expect(condense(report)).toBe(
      [
        '<?xml version="1.0"?>',
        '<testsuite tests="30" failures="1">',
        '<testcase name="case 1" time="0.1"/>',
        '<testcase name="case 2" time="0.1"/>',
        '<testcase name="case 3" time="0.1"/>',
        '[… 11 rows omitted]',
        '<testcase name="case 15" time="0.2"><failure message="boom">at a.ts:3</failure></testcase>',
        '[… 13 rows omitted]',
        '<testcase name="case 29" time="0.1"/>',
        '<testcase name="case 30" time="0.1"/>',
        '[30 rows in all; @time: 0.1 29, 0.2 1; failure@message: boom 1, missing 29; failure: at a.ts:3 1, missing 29; distinct values @name 30]',
        '</testsuite>',
        '',
      ].join('\n'),
    );
  });

  it('shows the one row with an element that says nothing', () => {
    const row = (number: number): string =>
      `<case name="c${number}">${number === 20 ? '<skipped/>' : '<out>a</out>'}</case>`;
    const condensed = condense(`<suite>${range(1, 40).map(row).join('')}</suite>`);
    expect(condensed).toContain(row(20));
  });

  it('compares texts to their end', () => {
    const row = (number: number): string => `<page><url>${'x'.repeat(500)}/${number}</url></page>`;
    expect(condense(`<pages>${range(1, 40).map(row).join('')}</pages>`)).toContain(
      '\n[40 rows in all; distinct values url 40]\n',
    );
  });

  it('keeps every item of a feed without its long texts', () => {
    const item = (number: number): string =>
      `<item><title>News ${number}</title><link>https://a.example/${number}</link><description>${'word '.repeat(80)}</description></item>`;
    const condensed =
      condense(`<rss><channel><title>Feed</title>${range(1, 15).map(item).join('')}</channel></rss>`) ?? '';
    expect(condensed).toContain(
      '<title>News 8</title><link>https://a.example/8</link><description>word word',
    );
    expect(condensed.match(/characters omitted/g)).toHaveLength(15);
  });

  it.each([
    [
      'a manifest',
      `<project><dependencies>${'<dependency><a>1</a></dependency>'.repeat(20)}</dependencies></project>`,
    ],
    ['a short answer', `<answer>${'<row>1</row>'.repeat(11)}</answer>`],
  ])('leaves %s as it is', (_name, text) => {
    expect(condense(text)).toBe(text);
  });

  it.each(examplesOf({ SOURCE_ROOTS }))('%s: %s', (_table, _name, pattern, example) => {
    expect(example).toMatch(pattern);
  });

  it.each([
    ['tags that do not match', '<a><b></a>'],
    ['no markup', 'a < b'],
  ])('does not take %s', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });

  it('keeps the rare error where all files have errors', () => {
    const files = range(1, 40).map(
      (at) =>
        `<file name="src/${'abcdefgh'.charAt(at % 8)}${at}.java"><error line="${at}" message="Long line."/><error line="${at * 2}" message="${at === 21 ? 'Empty catch.' : 'No comment.'}"/></file>`,
    );
    const short = condense(`<checkstyle>\n${files.join('\n')}\n</checkstyle>`) ?? '';
    expect(short).toContain(files[20]);
    expect(short).not.toContain(files[25]);
    expect(short).toContain('Empty catch. 1');
  });
});
