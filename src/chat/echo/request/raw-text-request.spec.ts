import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import {
  asksForList,
  asksForRawText,
  asksForRecords,
  asksForSelection,
  asksForWork,
} from './raw-text-request.js';
import { SPACED_LANGUAGES } from './request-languages.js';
import { UNSPACED_LANGUAGES } from './unspaced-languages.js';

const LANGUAGES = [...SPACED_LANGUAGES, ...UNSPACED_LANGUAGES].map(
  (language) => [language.name, language] as const,
);

const RAW = [
  'whats in notes.txt',
  'show me the whole of notes.txt',
  'I want the report as it is',
  'zeig mal her',
  'Recopie la lettre de Paul telle quelle',
  'show me the file',
  'Show me the whole file, please.',
  'Can you show me the contents of src/app.ts?',
  'Read src/app.ts and show me the source code',
  'print package.json',
  'Print the build output.',
  'please display the nginx access log',
  'cat README.md',
  'I want to see the full log',
  'let me see the code',
  "I'd like to read the document",
  'Dump the response body verbatim',
  'Give me the exact contents of config.yaml',
  'What are the exact contents of the file?',
  'I need the raw output.',
  'Fetch the page. Then paste it here, word for word.',
  'Quote the second paragraph.',
  'quote me the line that sets the port',
  'Fix the bug and give me the updated file',
  'Output the complete corrected code',
  "Don't summarise, show me the text",
  'show all of the file',
  'show me the first 20 lines of it',
  'show `src/a.ts`',
  'open it and print it',
  'show it to me',
  'repeat it',
  'Repeat the output, please.',
  'Wiederhole bitte den Text.',
  'Répète le texte.',
  '请重复一遍',
  'もう一度表示してください',
  'what are the contents of notes.txt?',
  'show me everything',
  'Show me the raw JSON',
  'Convert it to a markdown table',
  'turn this into YAML',
  'Zeig mir bitte die ganze Datei.',
  'Kannst du mir den Inhalt der Datei anzeigen?',
  'Gib mir den Quelltext im Wortlaut',
  'Montre-moi le fichier',
  'Affiche le contenu du fichier',
  'Peux-tu afficher la sortie ?',
  'Muéstrame el archivo',
  'Por favor, imprime el contenido completo',
  'Mostre o conteúdo do arquivo',
  'Mostrami il file',
  'Покажи содержимое файла',
  'Выведи текст дословно',
  '请显示文件的内容',
  '把原文给我',
  'ファイルの中身を見せて',
  'そのまま出力してください',
  '파일 내용을 보여줘',
  'print the env',
  'Read README.md',
  'Please read the changelog.',
  'Can I see the file?',
  'I need the file content',
  'I would like the complete output, please',
  'Write the whole file again',
  'Regenerate the whole file',
  'Reply only with the file content',
  'Give me the new version of the file',
  'Provide the corrected version',
  'Let me see the whole thing',
  'Output the raw result of the command',
  'Hand me the stack trace',
  'Include the full output in your answer',
  'Sort these.',
  'View the file',
  'Schreib mir die ganze Datei neu',
  'Ich möchte die Datei sehen',
  'Ich brauche den vollständigen Text',
  'Kann ich die Datei sehen?',
  'Schick mir den Text',
  'Renvoie le fichier complet',
  'Devuélveme el archivo corregido',
  'Скинь код целиком',
  '把文件内容贴出来',
  '把完整代码发给我',
  'コードを全部書き出して',
  '수정된 파일 전체를 출력해줘',
  'Copy the README into the chat',
  'Please copy it into the chat.',
  'Read notes.txt and put its contents in the chat, please',
  'Add a limit, and output the whole config.',
  'give me the whole pom',
  'can i see the nginx conf?',
  'Extract the text of this page, without any tags.',
  'Show the file without comments',
  'Copia aquí el texto íntegro.',
  'Muéstramelo entero.',
  'Recopie la lettre ici',
  'full log please',
  'the last 10 lines of the log',
  'pom.xml bitte anzeigen',
  "What's in notes.txt?",
  'Can you show me what totals.py contains right now?',
  'What does the config look like at the moment?',
  'git status',
  'git diff HEAD~2 please',
  'run df -h',
  'Give me the class again',
  'Zeig mir das Rezept',
  'Muéstrame la receta',
  "J'aimerais voir la lettre",
  'show me line 40 of app.rb',
  'again please, the whole file',
  'Ich hätte gern den Inhalt der Konfiguration',
  'Peux-tu me donner la lettre entière ?',
  'affiche-moi le code',
  'fammi vedere il codice',
  '显示 main.py',
  '我要看完整的代码',
  'main.pyを表示して',
  'Necesito el texto completo',
  'Write out the manifest',
  'Give me the API section of the readme',
  'What does the letter say exactly?',
];

const NOT_RAW = [
  '',
  'What does this file do?',
  'show me what is wrong',
  'Show me where the file is read',
  'Show me how the output is made',
  'show me the file name',
  'show me the file list',
  'repeat the test until it passes',
  'repeat the experiment with n=5',
  'Show me any code smells',
  'Give me a summary of the file',
  'Give me an overview of the code',
  'Why does it print the file twice?',
  'To print the file it calls cat, is that safe?',
  'Do not print the file',
  "Don't show me the raw output",
  'Explain it without quoting the file',
  'never paste the contents',
  'Read the file and tell me what it does',
  'Open src/app.ts',
  'Read README.md, then fix the links.',
  "Don't copy it into the chat",
  'Fix the scrolling bug in the chat window.',
  'There is a layout bug in the chat. Fix it.',
  'Fix the output in the chat.',
  'Copy button in the chat does nothing.',
  'Show a spinner in the chat.',
  'Copy the text in the chat window to the title.',
  'Send it to the server',
  'Show that it works',
  'Give it a try',
  'Copy the file to dist',
  'Fix `print(text)` in main.py',
  'Return JSON with the keys a and b',
  'Output only valid JSON',
  'Why is the raw output empty?',
  'Find the bug in the code',
  'give me a complete analysis',
  'Extract the code into a module',
  'Show me the bug without printing the file',
  'Refactor the code',
  "What's in notes.txt, and what is wrong with it?",
  'What does the file do to the config?',
  'Mostra-o ao cliente',
  'env variables leak',
  'git diff is slow',
  'find bugs',
  'Show me the bug',
  'Show me the reason',
  'show me the slowest query',
  'Zeig mir die langsamste Abfrage',
  'Send the file to S3',
  'Sende die Datei an den Server',
  'Donne-moi un résumé du fichier',
  'Give me the fix',
  'Zeig mir den Fehler',
  'Show the sidebar',
  'Write out of memory errors to the console',
  'Write a test for the output module',
  'Explain the exact difference',
  'Show the exports of src/app.ts',
  'Show src/app.ts exports',
  'Write a function that reads the whole file',
  'Write the result to the database',
  'Write a complete test file for the parser',
  'Rewrite the parser',
  'Rewrite the file so that it is faster',
  'Sort out the failing tests',
  'Sort the imports of templates',
  'Answer the question in the file',
  'Reply to the issue',
  'Fix the whole thing',
  'What version of the file is deployed?',
  'View the file and fix it',
  'I want the file to be shorter',
  'I need the output to be sorted',
  'I want to fix the output',
  'I need you to refactor the code',
  "Let's clean up the script",
  "I'd like to understand the log",
  'Can I delete the file?',
  'I want the code to be typed',
  'Schreib einen Test für die Datei',
  'Réécris la fonction',
  '把文件改成异步',
  '把配置里的端口改掉',
  'Was macht die Datei?',
  'Zeig mir, wo der Fehler ist',
  'Zeig die Datei nicht',
  'Que fait ce fichier ?',
  'N’affiche pas le fichier',
  '¿Qué hace este archivo?',
  'Почему файл пустой?',
  '这个文件是做什么的？',
  '不要输出文件内容',
  'このファイルは何をしますか',
  '이 파일은 무엇을 하나요',
];

describe('asksForRawText', () => {
  it.each(RAW)('finds a request in: %s', (message) => {
    expect(asksForRawText(message)).toBe(true);
  });

  it.each(NOT_RAW)('finds none in: %s', (message) => {
    expect(asksForRawText(message)).toBe(false);
  });

  it.each(LANGUAGES)('tells the two examples in %s apart', (_name, { asks, asksNot }) => {
    expect([asksForRawText(asks), asksForRawText(asksNot)]).toEqual([true, false]);
  });

  it('looks at the beginning and the end of a long message', () => {
    const material = 'The quick brown fox jumps over the lazy dog.\n'.repeat(500);
    expect(asksForRawText(`Show me the file.\n${material}`)).toBe(true);
    expect(asksForRawText(`${material}\nShow me the file.`)).toBe(true);
    expect(asksForRawText(`${material}\nShow me the file.\n${material}`)).toBe(false);
  });

  it.each([' ', '.', ',', '-', '`', 'a.', 'print ', '显示', 'を', '"\n', '…', "n't "])(
    'takes linear time for a message that repeats %j',
    async (unit) => {
      const message = unit.repeat(100_000 / unit.length);
      await cpuPace.expectOnceWithin(() => cpuMs(() => asksForRawText(message)), 200);
    },
  );
});

describe('asksForList', () => {
  it.each([
    'List all files in src',
    'Which files mention the pool?',
    'find every usage of AbortSignal and list the places',
    'Where is parseConfig used?',
    'What directories are there?',
    'Look for the specs.',
    'Are there any fixtures yet?',
    'Do we have tests for the pool?',
    "What's in this folder?",
    'What changed in the last commit?',
    'Welche Dateien gibt es?',
    'Gibt es schon Tests?',
    '¿Hay pruebas del pool?',
    'Quels fichiers sont concernés ?',
    '列出所有文件',
    'どのファイルですか',
  ])('finds a request in: %s', (message) => {
    expect(asksForList(message)).toBe(true);
  });

  it.each([
    'What does the project do?',
    'Fix the failing test',
    'Is there a spec for the pool?',
    'Explain this.',
    'Run the server',
    'Why does git fail?',
    'git is broken, fix the merge.',
    'Which errors cause the crash? Fix them.',
  ])('finds none in: %s', (message) => {
    expect(asksForList(message)).toBe(false);
  });
});

describe('asksForSelection', () => {
  it.each(['Only the warnings and errors please.', 'Show only the failed jobs', 'Nur die Fehler bitte'])(
    'finds a request in: %s',
    (message) => {
      expect(asksForSelection(message)).toBe(true);
    },
  );

  it.each(['Show the errors', 'It only fails on Mondays'])('finds none in: %s', (message) => {
    expect(asksForSelection(message)).toBe(false);
  });
});

describe('asksForWork', () => {
  it.each([
    ['Where is it used? Explain it.', true],
    ['Where is it used?', false],
    ['Wo wird es benutzt?', false],
    ['Liste alle Fehler und behebe sie', true],
  ])('of %s: %s', (message, expected) => {
    expect(asksForWork(message)).toBe(expected);
  });
});

describe('asksForRecords', () => {
  it.each([
    'List the last 20 commits.',
    'Give me the commits of today.',
    'What was committed recently?',
    'Which pods are running?',
    'Could you tell me which pods are running?',
    'List all users.',
    'Show me all open issues, please.',
    'Find all TODOs.',
    'What are the type errors?',
    'Which environment variables are set?',
    'Which time zones are there?',
    'List all zones.',
    'Sort the commits by author.',
    "Give me this week's commits.",
    'Enumerate all keys',
    'Who are the users?',
    'Welche Pakete sind installiert?',
    'Welche Commits gab es zuletzt?',
    '¿Qué commits hay?',
    'Quelles branches existent ?',
    'Quali servizi esistono?',
    'Only the warnings please',
    'git log please',
    'run git log --oneline -20',
    'Please run `kubectl get pods`.',
    'Run tsc.',
  ])('finds a request in: %s', (message) => {
    expect(asksForRecords(message)).toBe(true);
  });

  it.each([
    '',
    'Why do all tests fail? Fix the errors.',
    'npm test fails, fix it',
    'Which errors cause the crash? Fix them.',
    'Which dependencies are outdated? Update them.',
    'git is broken, fix the merge.',
    'git is slow',
    'git log is empty',
    'run npm test',
    'Run git log, then tell me who wrote the pool.',
    'Give me a summary of the settings.',
    'Show me the settings and explain them.',
    'What do the settings mean?',
    'What is wrong with the settings?',
    'What happens if there are errors?',
    'Find errors in the log.',
    'List users is empty.',
    'To list the users it calls the server',
    'We list all users there.',
    'Are there any errors?',
    'List all of it.',
    'List all problems and fix them.',
    'Is there anything wrong with it?',
    'Which of these is slow?',
    'Do not list the users.',
    'Welche Fehler gibt es? Behebe sie.',
    `List all users. ${'It is a long story. '.repeat(100)}`,
  ])('finds none in: %s', (message) => {
    expect(asksForRecords(message)).toBe(false);
  });
});
