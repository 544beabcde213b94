import { type LabelledReply } from './labelled-reply.js';
import { FURTHER_RESULTS, RESULTS } from './results.js';

const ALL = { ...RESULTS, ...FURTHER_RESULTS } as const;
type Name = keyof typeof ALL;

/** Entities by which authors of pages write letters. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ é: 'eacute', è: 'egrave', à: 'agrave', ç: 'ccedil', ê: 'ecirc', î: 'icirc', ô: 'ocirc' },
  ...{ û: 'ucirc', É: 'Eacute', '—': 'mdash', "'": 'rsquo' },
};

/** Forms of results, to questions that do not ask for the text. */
const echoes: readonly (readonly [result: Name, asked: string, reply: string])[] = [
  [
    'french',
    'Write a polite answer asking for a payment plan.',
    RESULTS.french
      .replaceAll(/[^\x20-\x26\x28-\x7e\n]/g, (char) => (NAMED[char] ? `&${NAMED[char]};` : char))
      .replaceAll(/^(.+)$/gm, '<p>$1</p>'),
  ],
  [
    'chineseRules',
    '我想借两张光盘和九册书，可以吗？',
    RESULTS.chineseRules
      .replaceAll(/[，、]/g, ', ')
      .replaceAll('。', '. ')
      .replaceAll('；', '; '),
  ],
  ['readings', 'Is one of the sensors broken?', ALL.readings.replaceAll(',', '\t')],
  ['course', 'Is there a course for people who cannot eat gluten?', seen(RESULTS.course)],
  [
    'rust',
    'Can I make this generic over the clock?',
    RESULTS.rust.slice(RESULTS.rust.indexOf('        let tail')),
  ],
  [
    'webhooks',
    'Write me a Flask handler that checks the signature.',
    ALL.webhooks.replaceAll(/[*`#>|]|-{3,}/g, ''),
  ],
  ['pom', 'Move us to Java 23.', ALL.pom.replaceAll(/>\s+</g, '><')],
  ['gitStatus', 'Finish the merge for me.', ALL.gitStatus],
  ['nginx', 'WebSockets drop after a minute. Fix it.', `<result><![CDATA[${RESULTS.nginx}]]></result>`],
];

/** Messages with words of requests for texts and lists, which ask for something else. */
const ASKED_OTHERWISE: readonly (readonly [result: Name, asked: string])[] = [
  ['nginx', 'Show me how to cache the fonts for a year.'],
  ['nginx', 'give me a complete explanation'],
  ['nginx', 'Add a copy of the location block for /api here and explain it.'],
  ['rust', 'Show me the bug.'],
  ['c', 'List the bugs in this file.'],
  ['c', 'Without reading the file again: does it handle empty fields?'],
  ['webhooks', 'Extract the signature check into a middleware.'],
  ['webhooks', 'The content of the page is outdated: retries last five days now. Update it.'],
  ['files', 'Where did all the disk space go? Clean up.'],
  ['matches', 'Where is the time zone bug? Explain it.'],
  ['commits', 'find the commit that broke umlauts'],
  ['buildLog', 'Which errors are there and what should I do about them?'],
  ['buildLog', 'Print warnings in yellow, errors in red. Change the logger.'],
  ['french', 'Réponds à la lettre en demandant un échéancier, sans citer la lettre.'],
];

/** Messages that ask for all of a text, or for a list, in many words. */
const ASKED_FOR: readonly (readonly [result: Name, asked: string])[] = [
  ['nginx', 'can i see the nginx conf?'],
  ['nginx', 'Zeig mal die Config'],
  ['nginx', 'Inhalt von site.conf?'],
  ['nginx', 'what does the nginx config look like at the moment'],
  ['rust', 'gimme the rust file, unchanged'],
  ['rust', 'Can you show me what ring.rs contains right now?'],
  ['java', 'dump the stack trace here, no comments'],
  ['pom', 'pom.xml bitte anzeigen'],
  ['webhooks', "what's in webhooks.md?"],
  ['webhooks', 'Read it out to me, I am driving.'],
  ['buildLog', 'full log please'],
  ['buildLog', 'the last 30 lines of the log'],
  ['french', 'Donne-moi le texte intégral du courrier.'],
  ['french', 'Peux-tu recopier la lettre ici ?'],
  ['french', '¿Qué pone exactamente en la carta? Cópiala entera.'],
  ['chineseRules', 'Por favor, copia aquí el texto original íntegro.'],
  ['chineseRules', '给我看看这份须知写了什么，完整的。'],
  ['gitStatus', 'git status'],
  ['containers', 'docker ps -a'],
  ['files', 'ls -l'],
  ['files', "What's in the deploy folder?"],
  ['matches', 'Where do we still use moment?'],
  ['matches', 'Wo wird moment verwendet?'],
  ['nginx', 'Give me the upstreams again'],
  ['french', "J'aimerais voir la lettre"],
  ['tree', 'Show me the tree of the shop'],
  ['commits', '¿Qué commits hay?'],
];

const changed: readonly (readonly [kind: string, result: Name, asked: string, reply: string])[] = [
  ['text of a page', 'course', 'Extract the text of this page, without any tags.', seen(RESULTS.course)],
  [
    'picked lines',
    'buildLog',
    'Only the warnings please.',
    ALL.buildLog
      .split('\n')
      .filter((line) => line.includes('warning'))
      .join('\n'),
  ],
  [
    'rewritten in the text',
    'rust',
    'Add a `peek` method for the oldest sample and give me the complete file.',
    RESULTS.rust.replace(
      '    fn newest',
      '    /// The oldest sample, left where it is.\n    pub fn peek(&self) -> Option<&(Duration, T)> {\n        self.slots[self.head].as_ref()\n    }\n\n    fn newest',
    ),
  ],
  [
    'rewritten in the text',
    'nginx',
    'Add gzip and a /health location, and output the whole config.',
    RESULTS.nginx
      .replace(
        '    client_max',
        '    gzip on;\n    gzip_types text/css application/json image/svg+xml;\n\n    client_max',
      )
      .replace(
        '    location / {',
        '    location = /health {\n        return 200 "ok\\n";\n    }\n\n    location / {',
      ),
  ],
  [
    'rewritten in the text',
    'pom',
    'Set the version to 3.8.1 and Java to 23, and give me the whole pom.',
    ALL.pom.replace('3.8.1-SNAPSHOT', '3.8.1').replace('<java.version>21', '<java.version>23'),
  ],
  [
    'correction in the text',
    'c',
    'Find the buffer overflow.',
    `It is the check of the count: with \`>\` field 64 is still written, one behind the end of \`fields\`. It has to be \`>=\`:\n\n\`\`\`c\n${RESULTS.c.slice(RESULTS.c.indexOf('\tout->count = 0'), RESULTS.c.indexOf('\t\tif (*read ==')).replace('> MAX', '>= MAX')}\`\`\`\n\nApart from that, \`IS_END\` evaluates its argument up to three times, which is fine for \`*read\` but not for \`*read++\`.`,
  ],
  [
    'summary with quotes',
    'java',
    'Why did booking 88213 fail?',
    'Room 412 was already taken for the night of 3 October:\n\n```\nDetail: Key (room_id, night)=(412, 2026-10-03) already exists.\n```\n\n`RoomAllocator.allocate` (line 77) looks for a free room and then inserts, without a lock between the two. Two workers confirmed different bookings at the same time, and the second insert ran into the primary key. Use `INSERT … ON CONFLICT DO NOTHING` and try the next room.',
  ],
];

export const FURTHER_ECHOES: readonly LabelledReply[] = [
  ...echoes.map(([name, asked, reply]) => labelled('in other signs', name, asked, reply)),
  ...ASKED_OTHERWISE.map(([name, asked]) => labelled('asked otherwise', name, asked, ALL[name])),
];

export const FURTHER_FAIR: readonly LabelledReply[] = [
  ...ASKED_FOR.map(([name, asked]) => labelled('asked for', name, asked, `\`\`\`\n${ALL[name]}\n\`\`\``)),
  ...changed.map(([kind, name, asked, reply]) => labelled(kind, name, asked, reply)),
];

function labelled(kind: string, name: Name, asked: string, reply: string): LabelledReply {
  return { kind, name: `${name}: ${asked}`, asked, results: [{ text: ALL[name] }], reply };
}

/** What a reader sees of a page. */
function seen(page: string): string {
  return page
    .replaceAll(/<script>.*<\/script>|<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&ndash;', '–')
    .replaceAll('&euro;', '€')
    .replaceAll(/^\s+/gm, '');
}
