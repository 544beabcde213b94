import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in English. */
export const ENGLISH: SpacedLanguage = {
  name: 'English',
  asks: 'Could you please show me the whole build output?',
  asksNot: 'Could you show me what is wrong with the build output?',
  leads:
    'please hey can could would will you now then just also ok okay i to me us simply first go ahead kindly may pls plz right exactly only',
  wishes: "want need like let let's i'd i'll love",
  leave: 'can i, could i, may i, can we, could we',
  show: 'show print display output dump cat give send provide return post reproduce repeat echo type hand share reprint sort gimme forward pull bring reprint retype spit pass',
  contains:
    'contains contain look looks have print printed output answer answered return returned respond got received',
  inside: "what's in, what is in, what's inside, what is inside, what does, show what, what did",
  dative: 'me us',
  definite: 'the this that these those my our',
  towards: 'to',
  quote: 'quote paste recite transcribe',
  see: 'see view read have get look',
  convert: 'convert turn transform reformat format prettify',
  layout:
    'format formatted reformat pretty pretty-print prettify beautify nicely minify minified compact indent indented indentation unindent dedent wrap unwrap rewrap whitespace white-space spaces blanks tabs newline newlines linebreaks column columns align aligned number numbers numbered unnumbered escape escapes escaped unescape unescaped decode decoded bullet bullets html markdown',
  remove: 'remove delete drop strip omit exclude uncomment trim prune cut',
  forms: 'markdown table yaml json csv tsv xml html toml ini',
  fillers:
    'the a an its their this that these those my your all of me us current updated modified corrected fixed new final actual last latest newest next few five ten twenty fifty hundred',
  whole: 'raw full entire whole complete exact original verbatim unchanged unmodified',
  texts:
    'file files content contents text source code output log logs response document script snippet listing transcript manifest lines stdout stderr diff patch trace traceback readme changelog makefile dockerfile env environment config configuration conf letter article email mail message schema note notes docstring line e-mail licence license chat conversation',
  wholes: 'thing result results',
  portions:
    'all version copy rest remainder beginning end half part section sections paragraph chapter page pages look',
  write: 'write rewrite generate regenerate',
  reply: 'reply respond answer',
  pronouns: 'it them this that these those everything version',
  afterthoughts:
    'again for here now please verbatim unchanged to me us pls plz thanks thx out aloud currently up myself',
  otherHeads:
    'name names path paths list lists size sizes count structure tree type types coverage format handling base system extension owner style quality smells review permissions examples changes bug bugs problem problems issue issues error errors cause causes reason reasons way difference differences solution answer steps command place culprit status number numbers total average time date idea plan',
  questions: 'why when if how does do did is are was where who whether',
  stops: 'in of that which what with for from on at to as between than or by about into like because',
  negations: 'not never no nor cannot instead rather avoid skip',
  without: 'without',
  connectives: 'and then but before until so',
  exactly:
    'verbatim, letter by letter, word for word, word-for-word, letter for letter, what are the contents, what is the content, exact content, exact contents, exact text, exact output, exact lines, raw content, raw contents, raw text, raw output, raw file, raw source, raw response, contents of the file, in its entirety, read it out, read it aloud, read it to me, say exactly, exactly say, write exactly, exact wording, exact words, as is, as-is, as it is, as they are, the wording, in full, word by word',
  extract: 'extract',
  copy: 'copy put include',
  places:
    'here, into the chat, in the chat, into this chat, in this chat, in this window, into your answer, in your answer, into your reply, in your reply, in your response',
  list: "list find locate enumerate name give which what what's search look all every any there have exist tell many other overview show print how",
  listed:
    'files file paths directories directory folders folder modules packages tests specs fixtures configs configuration scripts migrations components routes endpoints documents pages images sources matches hits uses usages occurrences references places changed tree laid organised organized structured',
  where: 'where',
  which: "which what what's who",
  enumerate: 'list show enumerate name give tell print display get sort group',
  find: 'find search locate',
  only: 'only',
  every: 'all every any each',
  be: 'are were is was',
  exist: 'there exist',
  records:
    'commits committed done branches tags releases issues todo todos users hosts nodes pods containers processes services ports jobs requests entries rows records items errors warnings variables settings dependencies tables columns tests specs modules packages routes endpoints matches uses usages occurrences references changes tickets orders customers invoices appointments meetings sessions disks mounts devices keys groups',
  judging:
    'many much most least more less fewer total sum average should must can could need better best worse worst first one than long often old think',
  tasks:
    "fix fixes fixing repair mend solve resolve debug correct change update upgrade add remove delete replace rename rewrite refactor implement improve explain describe analyse analyze compare review why how reason reasons cause causes caused causing mean means summary summaries summarise summarize summarised summarized overview wrong broken break breaks bug bugs fail fails failed failing failure failures crash crashes crashed hang hangs slow empty don't not never clean cleanup tidy move migrate port optimise optimize simplify install uninstall merge revert",
  own: "i i'll i'd we we'll",
  purpose: 'to',
  uses: 'read print copy forward paste enlarge study review compare',
  makes: 'answer reply respond write draft create make build generate prepare compose produce translate put',
  reach: 'open run execute fetch load retrieve',
};
