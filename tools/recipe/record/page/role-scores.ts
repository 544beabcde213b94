import { anyOf } from './page-script.js';

/** Appearance of an input of a page; lengths in CSS pixels. */
export interface FieldLooks {
  /** Text and attributes in one. */
  readonly words: string;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether it is an `<input>`, which takes one line. */
  readonly isInput: boolean;
}

export interface ButtonWords {
  readonly wanted: RegExp;
  readonly unwanted: RegExp;
}

/** Words in what inputs are called, beside the example that each stands for. */
export const PROMPT_WORDS = anyOf([
  'message', // Message the model
  'ask', // Ask anything
  'prompt', // id="prompt-textarea"
  'chat', // Chat with …
  'send', // Send a message
  'type', // Type here
  'question', // Your question
  'composer', // class="composer"
]);

export const OTHER_FIELD_WORDS = anyOf([
  'search', // Search chats
  'e-?mail', // Your e-mail
  'user', // name="username"
  'login', // id="login"
  'filter', // Filter models
  'name', // Name of the chat
]);

export const USER_WORDS = anyOf([
  'user', // name="username"
  'e-?mail', // type="email"
  'login', // id="login"
  'account', // Account
  'name', // Your name
  'handle', // @handle
]);

/** Words on the button that sends a login form. */
export const LOG_IN_BUTTON_WANTED = anyOf([
  'log ?-?in', // Log in
  'sign ?-?in', // Sign in
  'continue', // Continue with password
  'next', // Next
  'submit', // value="Submit"
  'enter', // Enter
]);

export const LOG_IN_BUTTON_UNWANTED = anyOf([
  'forgot', // Forgot password?
  'sign ?-?up', // Sign up
  'register', // Register
  'google', // Sign in with Google
  'apple', // Sign in with Apple
  'sso', // Use SSO
]);

/** Words on the button that sends a prompt. */
export const SEND_BUTTON_WANTED = anyOf([
  'send', // aria-label="Send message"
  'submit', // data-testid="submit"
  'ask', // Ask
  'arrow-?up', // class="icon-arrow-up"
  'paper-?plane', // class="fa-paper-plane"
]);

export const SEND_BUTTON_UNWANTED = anyOf([
  'stop', // Stop generating
  'attach', // Attach
  'upload', // Upload
  'file', // Add files
  'voice', // Voice mode
  'micro', // Use microphone
  'model', // Choose a model
  'new', // New chat
  'menu', // Open menu
  'log ?-?out', // Log out
  'search', // Search the web
]);

/** Signs of a button, in points; an element without any is not taken. */
export const BUTTON_POINTS = { wanted: 4, submit: 3, unwanted: -5 };

/** By what the area of an input is multiplied, in which prompts are put as a rule: a large one, low on the page. */
export const PROMPT_FACTORS = { promptWord: 2, oneLine: 0.2, otherWord: 0.1, minHeight: 20 };

/** Score of an input as the one for prompts; the highest counts. */
export function promptScore({ words, y, width, height, isInput }: FieldLooks): number {
  const { promptWord, oneLine, otherWord, minHeight } = PROMPT_FACTORS;
  const isPrompt = PROMPT_WORDS.test(words);
  const area = width * Math.max(height, minHeight) * (isPrompt ? promptWord : 1) * (isInput ? oneLine : 1);
  return (area + y) * (!isPrompt && OTHER_FIELD_WORDS.test(words) ? otherWord : 1);
}

/** Score of an input before a password as the one for the user's name. */
export function userScore(words: string): number {
  return USER_WORDS.test(words) ? 2 : 1;
}

export function buttonScore(words: string, isSubmit: boolean, { wanted, unwanted }: ButtonWords): number {
  return (
    (wanted.test(words) ? BUTTON_POINTS.wanted : 0) +
    (isSubmit ? BUTTON_POINTS.submit : 0) +
    (unwanted.test(words) ? BUTTON_POINTS.unwanted : 0)
  );
}
