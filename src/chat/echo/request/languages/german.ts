import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in German. */
export const GERMAN: SpacedLanguage = {
  name: 'German',
  asks: 'Kannst du mir bitte die ganze Datei zeigen?',
  asksNot: 'Kannst du mir zeigen, wo die Datei gelesen wird?',
  leads:
    'bitte kannst könntest können könnten kann könnte darf du sie mir uns mal doch jetzt dann ich würde gerne nur einfach gern',
  wishes: 'möchte will brauche hätte lass',
  leave: 'kann ich, könnte ich, darf ich, ich will',
  show: 'zeig zeige zeigen gib gebe geben drucke drucken ausgeben anzeigen wiederhole wiederholen schick schicke schicken sende senden sortiere sortieren poste posten teile teilen',
  contains: 'enthält drinsteht aus',
  inside: 'was steht in, was ist in, was enthält, wie sieht, wie lautet, zeig was',
  dative: 'mir uns',
  definite: 'der die das den dem diese dieses diesen meine meinen mein',
  towards: 'an',
  quote: 'zitiere zitieren einfügen',
  see: 'sehen lesen haben anschauen ansehen',
  convert: 'konvertiere wandle formatiere umwandeln',
  layout:
    'formatiere formatieren formatiert einrücken einrückung eingerückt umbrechen umbruch umbrüche zeilenumbruch zeilenumbrüche zeilennummern leerzeichen leerzeilen tabs tabulatoren spalten aufzählung stichpunkte nummeriere nummeriert',
  remove: 'entferne entfernen lösche löschen streiche streichen kürze',
  forms: 'tabelle',
  fillers:
    'der die das den dem des mir uns alle neu neue neuen geänderte geänderten letzten ersten letzte erste mich',
  whole:
    'ganze ganzen gesamte gesamten vollständige vollständigen rohe genaue genauen komplett komplette kompletten vollständig ungekürzt ungekürzte ungekürzten',
  texts:
    'datei dateien inhalt inhalte quelltext quellcode ausgabe protokoll zeilen konfiguration brief artikel mail nachricht schema e-mail',
  write: 'schreib schreibe schreiben',
  reply: 'antworte antworten',
  pronouns: 'es sie alles fassung version',
  afterthoughts: 'bitte noch',
  otherHeads: 'fehler problem probleme ursache grund weg unterschied lösung befehl stelle zahl',
  questions: 'warum wieso wie wann ob ist sind wo',
  stops: 'was welche welcher in im von mit für aus dass',
  negations: 'nicht kein keine keinen nie statt',
  without: 'ohne',
  connectives: 'und dann aber bevor damit',
  exactly:
    'zeig her, wortwörtlich, wort für wort, im wortlaut, lies vor, lies mir vor, vorlesen, den wortlaut, der wortlaut, so wie es ist, so wie sie ist, eins zu eins, lies … vor, lesen … vor, gib … aus, geben … aus',
  extract: 'extrahiere extrahieren',
  copy: 'kopiere kopieren kopier',
  places: 'hier, hierher, hier rein, hier hinein, hier hin, in den chat',
  list: 'liste finde welche alle suche such zähle gibt nenne was',
  listed:
    'dateien pfade ordner verzeichnisse verzeichnis fundstellen tests specs module pakete skripte stellen geändert',
  where: 'wo',
  which: 'welche was',
  enumerate: 'liste nenne zeig zeige gib',
  find: 'finde suche such',
  every: 'alle',
  be: 'sind',
  exist: 'gibt',
  records: 'pakete prozesse dienste einträge benutzer nutzer fehler abhängigkeiten variablen einstellungen',
  only: 'nur',
  judging:
    'viele viel meisten wenigsten mehr weniger summe durchschnitt gesamt soll sollte sollten muss müssen kann können könnte könnten besser beste schlechteste als lange oft',
  tasks:
    'behebe beheben fixe repariere reparieren korrigiere löse ändere entferne ersetze erkläre erklären beschreibe warum wieso weshalb ursache grund bedeuten zusammenfassung zusammenfassen fasse kaputt falsch scheitert scheitern schlägt schlagen fehlgeschlagen nicht heißt bedeutet',
  own: 'ich wir',
  purpose: 'zum um zu',
  uses: 'lesen drucken ausdrucken kopieren einfügen weiterleiten weiterreichen weitergeben vorlesen durchlesen nachlesen vergleichen',
  makes:
    'beantworte beantworten antworte antworten schreib schreibe schreiben entwirf erstelle erstellen mach mache machen baue bauen bereite übersetze übersetzen',
  reach: 'öffne öffnen hole holen lade laden führe',
};
