import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { htmlStrategy } from './html.strategy.js';

const condense = (text: string): string | undefined => htmlStrategy.condense(text, strategyContext());

describe('htmlStrategy', () => {
  it('renders the text of a page with its links, and counts scripts and styles', () => {
    const page = `<!DOCTYPE html><html><head><title>A &amp; B</title><meta name="description" content="About">
      <style>${'a{}'.repeat(50)}</style></head><body class="x"><h1 id="top">Head</h1>
      <p>Some <b>bold</b> text and <a href="/docs?a=1&amp;b=2">a link</a>,<br>next line.</p>
      <ul><li>One</li><li><a href="#top">Two</a></li></ul><pre>a
  b</pre><img src="x.png" alt="Logo"><script>${'f();'.repeat(50)}</script></body></html>`;
    expect(condense(page)).toBe(
      [
        '[HTML page as text; attributes of 18 tags omitted]',
        'Title: A & B',
        'description: About',
        '[… 1 style, 165 characters, omitted]',
        '# Head',
        'Some bold text and [a link](/docs?a=1&b=2),',
        'next line.',
        '- One',
        '- Two',
        'a',
        '  b',
        '[… 1 script, 217 characters, omitted]',
        '[image: Logo]',
      ].join('\n'),
    );
  });

  it('renders tables row by row, and condenses long ones', () => {
    const rows = range(1, 40).map(
      (number) => `<tr><td>${number}</td><td>${number === 20 ? 'bad' : 'ok'}</td></tr>`,
    );
    expect(condense(`<html><table><tr><th>Id</th><th>State</th></tr>${rows.join('')}</table></html>`)).toBe(
      [
        '[HTML page as text; attributes of 125 tags omitted]',
        '| Id | State |',
        '| 1 | ok |',
        '| 2 | ok |',
        '| 3 | ok |',
        '[… 16 rows omitted]',
        '| 20 | bad |',
        '[… 18 rows omitted]',
        '| 39 | ok |',
        '| 40 | ok |',
        '[40 rows in all; Id: 1 to 40; State: ok 39, bad 1]',
      ].join('\n'),
    );
  });

  it('renders broken markup as text', () => {
    expect(condense('<html><p>a < b & c <unclosed <a href="x>y')).toBe(
      '[HTML page as text; attributes of 2 tags omitted]\na < b & c <unclosed <a href="x>y',
    );
  });

  it('does not take Markdown that begins with tags', () => {
    const logo = '<p align="center"><a href="https://a.example"><img src="a.svg" alt="A" /></a></p>\n'.repeat(
      9,
    );
    expect(condense(`${logo}\n## Use\n\n\`\`\`js\nif (a) {\n  run();\n}\n\`\`\`\n`)).toBeUndefined();
  });

  it('leaves other texts alone', () => {
    expect(condense('a < b and <c>')).toBeUndefined();
    expect(condense('<note>no HTML</note>')).toBeUndefined();
  });
});
