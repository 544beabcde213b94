import { afterEach, describe, expect, it } from '@jest/globals';
import { chatPage, OddSite } from '../support/upstream/odd-site.js';
import { ask } from '../support/upstream/web-site.js';

/** A part of a hard answer: what the model wrote, and what renderers of Markdown make of it. */
interface Part {
  readonly what: string;
  readonly source: string;
  readonly html: string;
}

const PARTS: readonly Part[] = [
  {
    what: 'headings and paragraphs',
    source: '## A title\n\nFirst line, naïve 漢字.\n\nSecond.',
    html: '<h2>A title</h2>\n<p>First line, naïve 漢字.</p>\n<p>Second.</p>',
  },
  {
    what: 'inline marks',
    source: 'Some **bold**, *slanted*, ~~gone~~, `a  b`, `` x ` y ``, [link](http://example.com/?a=1&b=2).',
    html: '<p>Some <strong>bold</strong>, <em>slanted</em>, <del>gone</del>, <code>a  b</code>, <code>x ` y</code>, <a href="http://example.com/?a=1&amp;b=2">link</a>.</p>',
  },
  {
    what: 'code with tabs, blank lines and markup',
    source:
      '```python\ndef f(x):\n\tif x < 1:\n\n\n\t\treturn  "<b>&amp;</b>"  # two  blanks\n\n<think>no</think>\n```',
    html: '<pre><code class="language-python">def f(x):\n\tif x &lt; 1:\n\n\n\t\treturn  "&lt;b&gt;&amp;amp;&lt;/b&gt;"  # two  blanks\n\n&lt;think&gt;no&lt;/think&gt;\n</code></pre>',
  },
  {
    what: 'code with an element for each line',
    source: '```js\nconst a = 1;\n\n\tconst b = 2;\n```',
    html: '<pre><code class="hljs language-js"><div><span>const</span> a = 1;</div><div><br></div><div>\tconst b = 2;</div></code></pre>',
  },
  {
    what: 'code that holds a fence',
    source: '````md\n```js\n1\n```\n````',
    html: '<pre><code class="language-md">```js\n1\n```\n</code></pre>',
  },
  {
    what: 'nested lists',
    source: '1. one\n   - two\n     1. three\n     2. four\n2. five',
    html: '<ol><li>one<ul><li>two<ol><li>three</li><li>four</li></ol></li></ul></li><li>five</li></ol>',
  },
  {
    what: 'lists with code, and tasks',
    source: '- run\n  ```sh\n  a\n\n  b\n  ```\n- [x] done\n- [ ] open',
    html: '<ul><li><p>run</p><pre><code class="language-sh">a\n\nb\n</code></pre></li><li><input type="checkbox" checked disabled> done</li><li><input type="checkbox" disabled> open</li></ul>',
  },
  {
    what: 'lists with paragraphs',
    source: '- one\n\n- two\n\n  more of two',
    html: '<ul><li><p>one</p></li><li><p>two</p><p>more of two</p></li></ul>',
  },
  {
    what: 'tables',
    source: '| a | b | c |\n| --- | :-: | --: |\n| 1 \\| 2 | **x** | `y` |',
    html: '<table><thead><tr><th>a</th><th align="center">b</th><th style="text-align:right">c</th></tr></thead><tbody><tr><td>1 | 2</td><td align="center"><strong>x</strong></td><td style="text-align:right"><code>y</code></td></tr></tbody></table>',
  },
  {
    what: 'quotes with code',
    source: '> quoted\n>\n> ```\n> a\n>\n> b\n> ```',
    html: '<blockquote><p>quoted</p><pre><code>a\n\nb\n</code></pre></blockquote>',
  },
  {
    what: 'emoji, also as pictures',
    source: 'Emoji 👋🏽 👩‍👩‍👧 🇩🇪 and 🎉.',
    html: '<p>Emoji 👋🏽 👩‍👩‍👧 🇩🇪 and <img alt="🎉" src="1f389.svg">.</p>',
  },
  {
    what: 'tags as text',
    source: '<think>no thought</think> <div hidden>markup</div> &lt;escaped&gt;',
    html: '<p>&lt;think&gt;no thought&lt;/think&gt; &lt;div hidden&gt;markup&lt;/div&gt; &amp;lt;escaped&amp;gt;</p>',
  },
  {
    what: 'no-break spaces and line separators',
    source: 'nbsp\u00a0here, line\u2028separator, zero\u200bwidth',
    html: '<p>nbsp\u00a0here, line\u2028separator, zero\u200bwidth</p>',
  },
  {
    what: 'formulas',
    source: 'So $a_b$ holds.',
    html: '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a_b</annotation></semantics></math></span><span aria-hidden="true">ab</span></span> holds.</p>',
  },
  {
    what: 'plain text in a box that keeps blanks',
    source: 'one\n  two  blanks\n\tthree',
    html: '<div style="white-space:pre-wrap">one\n  two  blanks\n\tthree</div>',
  },
  {
    what: 'escapes of the source',
    source: 'A \\*star\\* and a hard  \nbreak',
    html: '<p>A *star* and a hard<br>break</p>',
  },
];

/** Lines of the source that stand in the same order in what was read. */
function survivors(source: string, read: string): number {
  const [lines, found] = [source.split('\n'), read.split('\n')];
  // Longest common subsequence, row by row.
  let before = new Array<number>(found.length + 1).fill(0);
  for (const line of lines) {
    const row = [0];
    found.forEach((other, at) =>
      row.push(line === other ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0)),
    );
    before = row;
  }
  return before.at(-1) ?? 0;
}

/** The page names no charset. */
const ascii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('WebDriver, what of a hard text survives the way over the page', () => {
  let site: OddSite;

  afterEach(() => site.close());

  /** Each part as it is read off a page, which paints one for each prompt: the prompt is its number. */
  async function readAll(format: string): Promise<string[]> {
    const html = ascii(JSON.stringify(PARTS.map((part) => part.html)));
    site = await OddSite.start({
      recipe: { capture: { mode: 'dom', answer: '.answer', busy: '#busy', format } },
      routes: {
        '/': chatPage(`
          const parts = ${html};
          send.onclick = async () => {
            const text = take();
            if (!text) return;
            const add = (props) => document.body.appendChild(Object.assign(document.createElement('div'), props));
            const busy = add({ id: 'busy' });
            add({ className: 'answer', innerHTML: parts[Number(text)] });
            await new Promise((resolve) => setTimeout(resolve, 200));
            busy.remove();
          };`),
      },
    });
    const session = await site.open();
    try {
      const texts: string[] = [];
      for (const index of PARTS.keys()) {
        const { text, error } = await ask(session, String(index));
        expect(error).toBeUndefined();
        texts.push(text);
      }
      return texts;
    } finally {
      await session.close();
    }
  }

  it.each([
    ['markdown', 59, ['lists with paragraphs', 'escapes of the source']],
    ['text', 25, undefined],
  ])(
    'reads as %s at least %d lines as they were written',
    async (format, least, lossy) => {
      const texts = await readAll(format);
      const parts = PARTS.map(({ what, source }, index) => {
        const lines = source.split('\n').length;
        return { what, lines, kept: survivors(source, texts[index] ?? ''), isSame: texts[index] === source };
      });
      const sum = (key: 'lines' | 'kept'): number => parts.reduce((total, part) => total + part[key], 0);
      const changed = parts.filter(({ isSame }) => !isSame).map(({ what }) => what);
      process.stdout.write(
        `${format}: ${sum('kept')} of ${sum('lines')} lines, ${parts.length - changed.length} of ${parts.length} parts whole; changed: ${changed.join('; ')}\n`,
      );
      expect(sum('kept')).toBeGreaterThanOrEqual(least);
      if (lossy) {
        expect(changed).toEqual(lossy);
      }
    },
    300_000,
  );
});
