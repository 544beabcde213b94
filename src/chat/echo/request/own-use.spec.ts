import { describe, expect, it } from '@jest/globals';
import { saysOwnUse } from './own-use.js';

const NAMED = new Set(['voucher', 'orders']);

describe('saysOwnUse', () => {
  it.each([
    "The voucher class, I'll review it on the train",
    'Makefile and ci.yml, the content, I want to compare them',
    'I need the readme in this window',
    'Export the September orders for me right here',
    'Die Mail bitte, zum Kopieren',
    'Die Mail, ich will sie drucken',
    "Il me faudrait le texte de la procédure pour l'imprimer",
    'El texto del contrato, quiero leerlo con calma',
    'Necesito el texto completo para pegarlo en la wiki',
    'O texto completo, para colar',
  ])('finds it in: %s', (message) => {
    expect(saysOwnUse(message, NAMED)).toBe(true);
  });

  it.each([
    'I want users to copy a link to the clipboard',
    'I want to compare prices of two suppliers',
    'Fix the log, I will read it',
    "Answer the mail, I'd like to read it",
    "Draft a reply to the mail, I'll forward it",
    'Which article should I read if I have the file?',
    'There is a race in the voucher here',
    'Explain the file here to me',
    "I'd like a cache in here",
    'Ich möchte die Datei auch auf Englisch drucken können',
    `The file, I'll read it. ${'word '.repeat(60)}`,
  ])('does not find it in: %s', (message) => {
    expect(saysOwnUse(message, NAMED)).toBe(false);
  });
});
