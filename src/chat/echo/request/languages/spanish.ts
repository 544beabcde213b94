import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in Spanish. */
export const SPANISH: SpacedLanguage = {
  name: 'Spanish',
  asks: 'Por favor, muéstrame el archivo completo.',
  asksNot: '¿Puedes explicarme qué hace este archivo?',
  leads: 'por favor puedes podrías puede podría ahora',
  wishes: 'quiero quisiera necesito déjame',
  show: 'muestra muéstrame muestrame mostrar muestre enséñame imprime imprimir dame escribe repite repetir devuelve devuélveme envía envíame ordena ordenar enseñas muestras das pasas pásame pasa comparte enseñar dar pasar enviar compartir',
  showIt:
    'muéstramelo muéstramela muéstralo muéstrala dámelo dámela enséñamelo enséñamela imprímelo imprímela cópialo cópiala cópiamelo cópiamela pégalo pégala',
  contains: 'contiene',
  inside: 'qué contiene, qué hay en, qué pone en, qué dice',
  dative: 'me nos',
  definite: 'el la los las este esta mi',
  towards: 'al',
  quote: 'cita citar pega pegar',
  see: 'ver leer',
  convert: 'convierte transforma formatea',
  layout:
    'formatea formatear sangría sangrado saltos tabuladores tabulaciones espacios columnas viñetas numera alinea',
  forms: 'tabla',
  fillers: 'el la los las lo me nos todo toda corregido nuevo últimas primeras última primera mi este esta',
  whole: 'completo entero exacto íntegro original completa entera exacta íntegra',
  texts:
    'archivo archivos fichero ficheros contenido texto código codigo salida registro líneas configuración carta artículo correo mensaje esquema e-mail',
  pronouns: 'lo todo',
  otherHeads: 'error errores problema problemas causa razón diferencia solución comando nombre',
  questions: 'por cómo cuando cuándo es dónde',
  stops: 'en de con para que qué como',
  negations: 'no nunca jamás',
  without: 'sin',
  connectives: 'y luego pero antes',
  exactly:
    'palabra por palabra, textualmente, léeme, lee en voz alta, tal cual, tal como está, tal y como está',
  extract: 'extrae extraer',
  copy: 'copia copiar cópiame pon ponme',
  places: 'aquí, en el chat',
  list: 'lista encuentra cuáles qué busca todos hay',
  listed: 'archivos ficheros rutas carpetas carpeta directorios pruebas módulos',
  where: 'dónde',
  only: 'solo sólo solamente únicamente',
  which: 'qué cuáles',
  enumerate: 'lista enumera dame muestra muéstrame',
  every: 'todos todas',
  be: 'son están',
  exist: 'hay existen',
  records:
    'commits usuarios paquetes procesos servicios errores advertencias variables dependencias ramas contenedores entradas filas líneas',
  judging: 'cuántos cuántas cuánto más menos total suma media debo debería puede mejor peor',
  tasks: 'arregla arreglar corrige corregir repara explica resume resumen causa falla fallan roto',
  own: 'yo quiero quisiera necesito',
  purpose: 'para',
  uses: 'leer imprimir copiar pegar reenviar',
  makes:
    'responde responder contesta contestar escribe escribir redacta redactar crea crear haz hacer traduce traducir prepara preparar',
  reach: 'abre abrir ejecuta ejecutar',
};
