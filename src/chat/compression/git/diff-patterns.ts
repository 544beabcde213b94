import { DECLARATORS, MODIFIERS } from '../kit/declarations.js';
import { type PatternTable } from '../kit/pattern-table.js';

/** Lines of a diff above and between its hunks. */
export const DIFF_HEADERS: PatternTable = {
  before: /^/,
  alternatives: [
    ['file', /diff --git /, 'diff --git a/a.ts b/a.ts'],
    ['blobs', /index [0-9a-f]{4,40}\.\./, 'index 1111111..2222222 100644'],
    ['sides', /--- |\+\+\+ /, '+++ b/a.ts'],
    ['hunk', /@@ /, '@@ -1,7 +1,7 @@'],
    ['mode', /(?:new file|deleted file|old|new) mode /, 'deleted file mode 100644'],
    ['move', /similarity index |rename |copy /, 'rename from a.ts'],
    ['binary', /Binary files /, 'Binary files a/a.png and b/a.png differ'],
  ],
};

/** Files that a program writes, by their whole names or extensions. */
export const GENERATED_FILES: PatternTable = {
  before: /(?:^|\/)/,
  alternatives: [
    ['lock file of Node', /package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml/, 'b/package-lock.json'],
    ['checksums of Go', /go\.sum/, 'go.sum'],
    ['other lock file', /[^/]{1,200}\.lock/, 'b/Cargo.lock'],
    ['minified file', /[^/]{1,200}\.min\.(?:js|css)/, 'dist/app.min.js'],
    ['source map', /[^/]{1,200}\.map/, 'dist/app.js.map'],
    ['snapshot', /[^/]{1,200}\.snap/, 'a.spec.ts.snap'],
    ['drawing', /[^/]{1,200}\.svg/, 'logo.svg'],
  ],
  after: /$/,
  flags: 'i',
};

/** Changed lines that declare something: a type, a function, a test, a heading. */
export const CHANGED_DECLARATIONS: PatternTable = {
  before: new RegExp(`^[+-][ \\t]{0,8}(?:(?:${MODIFIERS.join('|')}) )*`),
  alternatives: [
    ['declaration', new RegExp(DECLARATORS.join('|')), '+export async function load() {'],
    ['test', /describe|it|test/, "-  it('reads numbers', () => {"],
    ['annotation', /@[A-Z]/, '+@I'],
    ['heading', /#{1,3} /, '+## Use'],
  ],
  after: /\b/,
};
