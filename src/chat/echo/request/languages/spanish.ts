import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in Spanish. */
export const SPANISH: SpacedLanguage = {
  name: 'Spanish',
  asks: 'Por favor, muéstrame el archivo completo.',
  asksNot: '¿Puedes explicarme qué hace este archivo?',
  leads: 'por favor puedes podrías puede podría ahora',
  wishes: 'quiero quisiera',
  show: 'muestra muéstrame muestrame mostrar muestre enséñame imprime imprimir dame escribe repite repetir devuelve devuélveme envía envíame ordena ordenar',
  quote: 'cita citar pega pegar',
  see: 'ver leer',
  convert: 'convierte transforma formatea',
  forms: 'tabla',
  fillers: 'el la los las lo me nos todo toda corregido nuevo',
  whole: 'completo entero exacto',
  texts: 'archivo archivos fichero ficheros contenido texto código codigo salida registro líneas',
  pronouns: 'lo todo',
  questions: 'por cómo cuando cuándo es dónde',
  stops: 'en de con para que qué como',
  negations: 'no sin nunca jamás',
  connectives: 'y luego pero',
  exactly: 'palabra por palabra, textualmente',
  list: 'lista encuentra cuáles qué busca todos hay',
  listed: 'archivos ficheros rutas carpetas carpeta directorios pruebas módulos',
  where: 'dónde',
  tasks: 'arregla arreglar corrige corregir repara explica resume resumen causa falla fallan roto',
};
