import { shadowRootsIn } from '../../../../src/upstream/web/capture/dom/deep-query.js';
import { type PageDocument, type PageElement } from './page-element.js';
import { pageScript } from './page-script.js';
import {
  BUTTON_POINTS,
  buttonScore,
  type ButtonWords,
  LOG_IN_BUTTON_UNWANTED,
  LOG_IN_BUTTON_WANTED,
  OTHER_FIELD_WORDS,
  PROMPT_FACTORS,
  PROMPT_WORDS,
  promptScore,
  SEND_BUTTON_UNWANTED,
  SEND_BUTTON_WANTED,
  USER_WORDS,
  userScore,
} from './role-scores.js';

/** Parts of a chat site, by what a person uses them for; `cover` closes a dialog that lies over the prompt. */
export type PageRole = 'user' | 'password' | 'logIn' | 'prompt' | 'send' | 'cover';

declare const document: PageDocument;

/** Value of `Node.DOCUMENT_POSITION_FOLLOWING`. */
const FOLLOWING = 4;
/** Side in CSS pixels from which on an element can be used by a person. */
const MIN_SIDE = 4;
const ONE_LINE_FIELDS = ['input:not([type])']
  .concat(['text', 'email', 'tel', 'search'].map((type) => `input[type=${type}]`))
  .join(', ');
const PROMPT_FIELDS = `textarea, [contenteditable=true], [contenteditable=""], [role=textbox], ${ONE_LINE_FIELDS}`;
const BUTTONS = 'button, [role=button]';
const DIALOGS = 'dialog[open], [role=dialog], [aria-modal=true]';
const NAMING_ATTRIBUTES = [
  'aria-label',
  'title',
  'name',
  'placeholder',
  'data-testid',
  'class',
  'autocomplete',
  'value',
];

/** An expression that gives the element of a page which looks most like this role, or null. */
export function findByRoleScript(role: PageRole): string {
  return pageScript(
    [
      findByRole,
      passwordField,
      promptField,
      userField,
      buttonNear,
      coverButton,
      best,
      shownElements,
      shadowRootsIn,
      wordsOf,
      promptScore,
      userScore,
      buttonScore,
    ],
    {
      FOLLOWING,
      MIN_SIDE,
      ONE_LINE_FIELDS,
      PROMPT_FIELDS,
      BUTTONS,
      DIALOGS,
      NAMING_ATTRIBUTES,
      PROMPT_WORDS,
      OTHER_FIELD_WORDS,
      USER_WORDS,
      LOG_IN_BUTTON_WANTED,
      LOG_IN_BUTTON_UNWANTED,
      SEND_BUTTON_WANTED,
      SEND_BUTTON_UNWANTED,
      BUTTON_POINTS,
      PROMPT_FACTORS,
    },
    role,
  );
}

function findByRole(role: PageRole): PageElement | null {
  switch (role) {
    case 'password':
      return passwordField();
    case 'user':
      return userField(passwordField());
    case 'logIn':
      return buttonNear(passwordField(), {
        wanted: LOG_IN_BUTTON_WANTED,
        unwanted: LOG_IN_BUTTON_UNWANTED,
      });
    case 'prompt':
      return promptField();
    case 'send':
      return buttonNear(promptField(), { wanted: SEND_BUTTON_WANTED, unwanted: SEND_BUTTON_UNWANTED });
    case 'cover':
      return coverButton(promptField());
  }
}

function passwordField(): PageElement | null {
  return shownElements('input[type=password]', document)[0] ?? null;
}

function userField(password: PageElement | null): PageElement | null {
  const form = password?.closest('form') ?? document;
  const fields = shownElements(ONE_LINE_FIELDS, form).filter(
    (field) => !password || (field.compareDocumentPosition(password) & FOLLOWING) !== 0,
  );
  return best(fields, (field) => userScore(wordsOf(field)));
}

function promptField(): PageElement | null {
  const loginForm = passwordField()?.closest('form');
  return best(shownElements(PROMPT_FIELDS, document), (field) => {
    if (loginForm && field.closest('form') === loginForm) {
      return 0;
    }
    const { y, width, height } = field.getBoundingClientRect();
    return promptScore({ words: wordsOf(field), y, width, height, isInput: field.tagName === 'INPUT' });
  });
}

/** The best button in the form, or else the part of the page, in which the field is. */
function buttonNear(field: PageElement | null, words: ButtonWords): PageElement | null {
  const area = field?.closest('form') ?? field?.closest('main, section, footer, [role=dialog]') ?? document;
  return best(shownElements(`${BUTTONS}, input[type=submit]`, area), (button) => {
    const isSubmit = button.type === 'submit' && button.closest('form') !== null;
    return buttonScore(wordsOf(button), isSubmit, words);
  });
}

/** A button of the first dialog, if the middle of the prompt cannot be clicked. */
function coverButton(prompt: PageElement | null): PageElement | null {
  if (!prompt) {
    return null;
  }
  const { x, y, width, height } = prompt.getBoundingClientRect();
  const top = prompt.getRootNode().elementFromPoint(x + width / 2, y + height / 2);
  if (!top || prompt.contains(top) || top.contains(prompt)) {
    return null;
  }
  return shownElements(DIALOGS, document).flatMap((dialog) => shownElements(BUTTONS, dialog))[0] ?? null;
}

function best(elements: readonly PageElement[], score: (element: PageElement) => number): PageElement | null {
  const scored = elements.map((element) => ({ element, points: score(element) }));
  const fit = scored.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points);
  return fit[0]?.element ?? null;
}

/** Elements that a person could use now, also those in shadow roots. */
function shownElements(selector: string, within: Pick<PageElement, 'querySelectorAll'>): PageElement[] {
  const roots = [within, ...(shadowRootsIn(within) as PageElement[])];
  const elements = roots.flatMap((root) => Array.from(root.querySelectorAll(selector)));
  return elements.filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isLarge = width > MIN_SIDE && height > MIN_SIDE;
    const isUsable = !element.disabled && !element.readOnly;
    return (
      isLarge && isUsable && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  });
}

function wordsOf(element: PageElement): string {
  const attributes = NAMING_ATTRIBUTES.map((name) => element.getAttribute(name) ?? '');
  return [element.textContent ?? '', element.id, ...attributes].join(' ');
}
