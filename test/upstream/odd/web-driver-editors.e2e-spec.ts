import { describe, expect } from '@jest/globals';
import { chatPage, OddSite } from '../../support/upstream/odd-site.js';
import { ask } from '../../support/upstream/web-site.js';
import { TestsAtOnce } from '../../support/watch/tests-at-once.js';

const PROMPT = 'First "line" <b>of</b> it\n\n\tindented\n    four blanks\n- a\n\n\nlast & line 👋.';

/**
 * An editor like Slate: its text is its own, and is shown a little later; it learns only after a while what is selected,
 * pastes into that, and takes back what others do to its element.
 */
const editor = (draft: string): string => `
  const box = document.querySelector('#box');
  let text = ${JSON.stringify(draft)};
  let selected;
  const show = () => setTimeout(() => { if (box.textContent !== text) { box.textContent = text; } }, 50);
  new MutationObserver(show).observe(box, { childList: true, characterData: true, subtree: true });
  show();
  document.addEventListener('selectionchange', () => setTimeout(() => {
    selected = document.getSelection().containsNode(box.firstChild ?? box, true) ? text.length : 0;
  }, 60));
  box.onpaste = (event) => {
    event.preventDefault();
    if (selected !== undefined) {
      text = event.clipboardData.getData('text/plain') + text.slice(selected);
      show();
    }
  };
  send.onclick = () => { const sent = text; text = ''; show(); post(sent); };`;

/** Each test has a site and a browser of its own, and they run at once: they wait for pages most of the time. */
describe('WebDriver, an editor with a text of its own', () => {
  const atOnce = new TestsAtOnce();

  atOnce.each([
    ['paste', ''],
    ['paste', 'What somebody left here'],
    ['request', ''],
    ['request', 'What somebody left here'],
  ])('takes a prompt by %s, where it holds “%s”', async (method, draft) => {
    const box = '<div id="box" contenteditable style="white-space: pre-wrap"></div>';
    await using site = await OddSite.start({
      routes: { '/': chatPage(editor(draft), box) },
      recipe: { prompt: { input: '#box', method } },
    });
    const session = await site.open();
    const answer = await ask(session, PROMPT);
    await session.close();
    expect(answer).toMatchObject({ text: 'Hello.', error: undefined });
    expect(site.bodies).toEqual([JSON.stringify({ prompt: PROMPT })]);
  });
});
