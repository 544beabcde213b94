/*
 * Words by which people ask for a text as it is. One list for all languages that put spaces between words, since their
 * imperatives are built alike and few words mean different things; Chinese, Japanese and Korean have patterns below.
 */

/** What may come before the verb of a request. */
export const LEADS = words(`
  please can could would will you now then just also ok okay hey i i'd i'll want need like to let let's me us simply
  first finally next kindly go ahead again
  bitte kannst könntest können könnten du sie mal doch jetzt dann ich möchte will würde gerne nur einfach
  peux peux-tu peut pouvez pouvez-vous pourrais-tu pourriez-vous pourrais pourriez tu vous s'il te plaît plait svp je veux voudrais maintenant
  por favor puedes podrías puede podría quiero quisiera ahora pode poderia quero gostaria agora
  per favore puoi potresti può voglio vorrei ora adesso
  пожалуйста можешь можете могли бы ты вы я хочу теперь`);

/** Among the leads: somebody wants something for himself. */
export const WISHES = words(
  "want need like let let's i'd möchte will veux voudrais quiero quero voglio vorrei хочу",
);

/** Verbs that ask for a text, where a text is what follows. */
export const SHOW_VERBS = words(`
  show print display output dump cat give send provide return post reproduce repeat echo type
  zeig zeige zeigen gib gebe geben drucke drucken ausgeben anzeigen wiederhole wiederholen
  montre montrez montre-moi montrez-moi montrer affiche affichez afficher donne donnez donne-moi donnez-moi imprime répète répétez répéter
  muestra muéstrame muestrame mostrar muestre enséñame imprime imprimir dame escribe repite repetir
  mostre mostra mostre-me mostra-me mostrar exiba exibir imprima dê repita
  mostrami mostra mostrare stampa stampare dammi visualizza ripeti ripetere
  покажи покажите показать выведи выведите вывести напечатай распечатай дай дайте повтори повторите`);

/** Verbs that ask for a text whatever follows. */
export const QUOTE_VERBS = words(`
  quote paste recite transcribe zitiere zitieren einfügen citez citer colle collez coller cita citar pega pegar
  cite cole colar incolla incollare riporta процитируй процитируйте цитируй вставь`);

/** Verbs by which somebody looks himself, or has the model look; a request only after a wish. */
export const SEE_VERBS = words(
  'see view read have get sehen lesen haben voir lire ver leer ler vedere leggere увидеть видеть',
);

/** Verbs that ask for the same in another form. */
export const FORM_VERBS = words(`
  convert turn transform reformat format prettify pretty-print konvertiere wandle wandele formatiere umwandeln
  convertis convertissez convertir convierte transforma formatea converta converte formata formatta converti
  преобразуй конвертируй отформатируй`);

export const FORMS = words(`
  markdown table yaml json csv tsv xml html toml ini tabelle tableau tabla tabela tabella таблицу`);

/** Whom the text is for. */
export const RECEIVERS = words('me us mir uns moi nous me nos mi ci мне нам');

/** Words in front of a noun that say nothing else. */
export const DETERMINERS = words(`
  the a an its their this that these those my your all whole full entire complete raw exact original actual literal
  unmodified current updated modified corrected fixed new final
  der die das den dem des ganze ganzen gesamte gesamten vollständige vollständigen genaue genauen rohe alle
  le la les l' du tout toute entier complet exact brut ce cette ces
  el los las lo todo toda entero completo exacto o os as a inteiro exato il lo gli i tutto intero esatto
  весь всё все полный полностью исходный этот`);

/** Among them: nothing but the text itself is meant. */
export const WHOLENESS = words(`
  raw full entire whole complete exact original verbatim ganze ganzen gesamte gesamten vollständige vollständigen rohe
  brut entier complet exact completo entero exacto inteiro exato intero esatto весь полный исходный`);

export const TEXT_NOUNS = words(`
  file files content contents text source code output log logs response document script snippet listing transcript
  lines stdout stderr diff patch manifest dockerfile makefile readme
  datei dateien inhalt inhalte quelltext quellcode ausgabe protokoll zeilen
  fichier fichiers contenu texte sortie journal lignes
  archivo archivos fichero ficheros contenido texto código codigo salida registro líneas
  arquivo arquivos ficheiro ficheiros conteúdo saída linhas
  contenuto testo codice uscita righe
  файл файла файлы содержимое текст код вывод лог журнал строки`);

/** These alone can stand for a text, with nothing but one of `AFTERTHOUGHTS` behind them. */
export const PRONOUNS = words(
  'it them this that everything es sie alles lo la tout todo tudo tutto его её всё',
);
export const AFTERTHOUGHTS = words('again here now please verbatim unchanged completely fully bitte noch');

/** A noun in front of one of these is no text but says what kind of thing it is. */
export const OTHER_HEADS = words(`
  name names path paths list lists size sizes count structure tree type types coverage handling format style quality
  smells review base system systems extension extensions permissions example examples change changes owner`);

/** Words after which a noun is not the object of the request any more. */
export const STOPS = words(`
  in of that which where what how why when with for from on at to is are was as between against than or by does do if
  about into like because who whose
  was wie warum wo welche welcher in im von mit für aus ob dass que qui où comment pourquoi dans de avec pour
  qué cómo dónde en con para como onde em com che come dove perché nel con di что как где почему в из с для`);

/** Words by which somebody asks why or whether, not for the text. */
export const QUESTIONS = words(`
  why how when if does do did is are was where who whether warum wieso wie wann ob ist sind wo pourquoi comment si est
  où por cómo cuando cuándo es dónde como quando é onde perché come se dove почему как когда если где`);

export const NEGATIONS = words(`
  not never without no nor cannot instead rather avoid skip nicht kein keine keinen nie ohne statt ne pas jamais sans
  sin nunca jamás não sem non senza mai не без никогда нет`);

/** Where one request ends and the next begins. */
export const CONNECTIVES = words(
  'and then but und dann aber et puis mais y luego pero e então mas poi ma и потом но',
);

/** Said of how a text is to be given, these are a request for it. */
export const EXACTNESS = [
  ...['verbatim', 'word for word', 'word-for-word', 'letter for letter', 'character for character'],
  ...[
    'what are the contents',
    'what is the content',
    'exact content',
    'exact contents',
    'exact text',
    'exact output',
    'exact wording',
    'exact lines',
  ],
  ...['raw content', 'raw contents', 'raw text', 'raw output', 'raw file', 'raw source', 'raw response'],
  ...['contents of the file', 'in its entirety', 'wortwörtlich', 'wort für wort', 'im wortlaut'],
  ...[
    'mot pour mot',
    'mot à mot',
    'textuellement',
    'palabra por palabra',
    'textualmente',
    'palavra por palavra',
  ],
  ...['na íntegra', 'parola per parola', 'дословно', 'слово в слово', 'без изменений'],
].map((phrase) => phrase.split(' '));

/** Requests for a text as it is, in languages without spaces between words. Matched against one clause. */
export const UNSPACED_REQUESTS = [
  /原文|原样|原樣|逐字|全文|一字不|(?:重复|重複|再说|再說)一[遍次]/u,
  /(?:显示|顯示|打印|输出|輸出|贴出|貼出|展示|列印|给我看|給我看|发给我|念出)[^。]{0,12}(?:内容|內容|源码|源代码|代码|程式碼|文件|文本|日志|日誌)/u,
  /そのまま|逐語|一字一句|(?:もう一度|繰り返して)(?:表示|見せ|出力)|生の(?:出力|内容|テキスト)/u,
  /(?:内容|中身|コード|ファイル|全体|テキスト|ログ|出力)を[^。]{0,8}(?:表示|見せ|出力|貼|印刷)/u,
  /그대로|원문|전문을/u,
  /(?:내용|파일|코드|텍스트|로그)(?:을|를)[^.]{0,8}(?:보여|출력|표시|붙여|인쇄)/u,
];
export const UNSPACED_NEGATIONS =
  /不要|不用|不必|别|別|无需|勿|ないで|なくて|せずに|ずに|마세요|말고|하지 마|없이/u;

/** Nouns of which somebody asks for a list. */
export const LISTED_NOUNS = words(`
  files paths directories folders modules packages tests matches usages uses occurrences references entries places
  dateien pfade ordner verzeichnisse fundstellen fichiers chemins dossiers répertoires
  archivos ficheros rutas carpetas directorios arquivos ficheiros caminhos pastas diretórios
  percorsi cartelle файлы файлов пути папки каталоги`);
export const LIST_WORDS = words(`
  list find locate enumerate name which what where search all every liste finde welche wo alle suche zähle
  trouve quels quelles où liste cherche lista encuentra cuáles qué dónde busca todos encontre quais onde
  elenca trova quali dove tutti найди перечисли какие где все список`);
/** Words that ask for places whatever follows. */
export const PLACE_WORDS = words('where wo où dónde onde dove где');
export const UNSPACED_LISTS =
  /哪些|哪里|列出|列舉|列举|有什么文件|一覧|リスト|どのファイル|どこ|목록|어떤 파일|어디/u;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ''));
}
