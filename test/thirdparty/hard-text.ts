/** An answer that most ways through a page change: markup, white space, tables, and characters of two units. */
export const HARD_TEXT = [
  '  Leading blanks, then `code`:\n\n',
  '```python\ndef f(x):\n\tif x < 1 and x > -1:\n\n\n\t\treturn  "<b>&amp;</b>"  # two  blanks\n```\n\n',
  '| a | b |\n|---|:-:|\n| 1 \\| 2 | **x** |\n\n',
  '<think>no thought</think> <div hidden>markup</div> &lt;escaped&gt; <!-- note -->\n',
  '1. one\n   - two\n\n     three\n\n',
  '$a_b$ \\(x\\) _under_ *star* ~~gone~~ [link](http://example.com/?a=1&b=2) ![i](x.png)\n',
  'Emoji 👋🏽 👩‍👩‍👧 🇩🇪, naïve 漢字 עברית, line\u2028separator, zero\u200bwidth, nbsp\u00a0here, "quotes" \'too\' \\n \\\\\n',
  'data: [DONE]\n\nevent: end\n42["stream_token",{}]\n{"json": [1, 2]}\n\n\nThe end.  \n',
].join('');

/** Pieces of 1 to 7 characters, so that words, fences and tags are cut anywhere. */
export const HARD_PIECES: readonly string[] = cut(HARD_TEXT);

function cut(text: string): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0, length = 1; at < characters.length; at += length, length = (length % 7) + 1) {
    pieces.push(characters.slice(at, at + length).join(''));
  }
  return pieces;
}
