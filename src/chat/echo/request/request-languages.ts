import { type SpacedLanguage } from './language-words.js';
import { ENGLISH } from './languages/english.js';
import { FRENCH } from './languages/french.js';
import { GERMAN } from './languages/german.js';
import { ITALIAN } from './languages/italian.js';
import { PORTUGUESE } from './languages/portuguese.js';
import { RUSSIAN } from './languages/russian.js';
import { SPANISH } from './languages/spanish.js';

/*
 * Words by which people ask for a text as it is, and for a list of files, by language. Every language has two messages
 * that the spec runs, so that whoever knows the language can check and extend its words without reading the code.
 */

export const SPACED_LANGUAGES: readonly SpacedLanguage[] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  PORTUGUESE,
  ITALIAN,
  RUSSIAN,
];
