import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in Italian. */
export const ITALIAN: SpacedLanguage = {
  name: 'Italian',
  asks: 'Per favore, mostrami il file intero.',
  asksNot: 'Puoi spiegare perché il file è vuoto?',
  leads: 'per favore puoi potresti può ora adesso',
  wishes: 'voglio vorrei',
  show: 'mostrami mostra mostrare stampa stampare dammi visualizza ripeti ripetere ordina ordinare',
  quote: 'cita incolla incollare riporta',
  see: 'vedere leggere',
  convert: 'converti formatta',
  forms: 'tabella',
  fillers: 'il lo la gli i mi ci tutto',
  whole: 'intero esatto completo',
  texts: 'file contenuto testo codice uscita righe',
  write: 'scrivi scrivere riscrivi riscrivere',
  pronouns: 'lo tutto',
  questions: 'perché come se dove',
  stops: 'nel che con di',
  negations: 'non senza mai',
  connectives: 'poi ma',
  exactly: 'parola per parola',
  list: 'elenca trova quali tutti',
  listed: 'percorsi cartelle',
  where: 'dove',
  tasks: 'correggi correggere ripara spiega perché riassumi riassunto causa fallisce falliscono rotto',
};
