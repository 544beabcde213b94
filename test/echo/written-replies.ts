import { type LabelledReply } from './labelled-reply.js';
import { type ResultName, RESULTS } from './results.js';

/** Answers as people would write them: summaries, reviews, translations, corrections. */
const REPLIES: readonly (readonly [kind: string, result: ResultName, asked: string, reply: string])[] = [
  [
    'summary',
    'python',
    'What does inventory.py do?',
    'The module models the stock of a warehouse. `Movement` is an immutable record of something coming in or going out, `Shelf` knows its `capacity` and `contents` and takes as much as fits (`put` returns what did not), and `Warehouse` ties shelves together.\n\n- `available` adds up what lies on all shelves and subtracts what is in `_reserved`.\n- `reserve` raises `OutOfStockError` when more is wanted than there is.\n- `receive` spreads a delivery over the shelves and fails with `ValueError` if something is left.\n- `sold_per_day` and `to_order` estimate demand over thirty days and yield what must be ordered for a lead time of nine days.\n\nOne bug: nothing ever appends a sale, so `sold_per_day` is always zero and `to_order` yields nothing.',
  ],
  [
    'summary',
    'go',
    'Is this limiter safe?',
    'Mostly. `Limiter` guards its state with `mu`, hands tokens to `waiters` in order, and `Allow` refuses while somebody waits, so nobody jumps the queue. Three things are wrong:\n\n1. `last` starts as the zero time, so the first `refill` earns an absurd number of tokens; it is capped by `burst`, but only by luck.\n2. `Wait` leaves its channel in `waiters` when `ctx` ends. The next token is then spent on nobody.\n3. Nothing calls `refill` while callers only wait: without another `Allow` or `Wait` they sleep for ever.\n\nThe third one is a deadlock. Use a timer that is armed whenever `waiters` is not empty. The comment on `ErrClosed` promises a `Close` that does not exist.',
  ],
  [
    'summary',
    'article',
    'Summarise the article in three sentences.',
    'Tide tables were first made from experience, by watching how high water follows the moon. Newton and Laplace explained the mechanism, but only Thomson found a way to compute real tides: by adding up simple waves with known periods and measured heights, which his machine of pulleys did in hours instead of months. Such machines ran until the 1960s and even helped to time the Normandy landings.',
  ],
  [
    'summary with quotes',
    'article',
    'Who had the decisive idea, and what was it? Use his contemporaries if you can.',
    'It was William Thomson. The text says that "the way out was to stop asking for causes": rather than solving the equations that Laplace had left, he would "treat the tide at each harbour as a sum of simple waves". With "thirty-seven such constituents", it goes on, a year of the Thames could be foretold closely. The machine that did the sum was "a train of pulleys", and it "drew a year of tides in four hours". The idea has outlived the machine: a calculator uses the same constituents today.',
  ],
  [
    'translation',
    'chinese',
    'Translate the installation notes into English.',
    'Installation notes\n\nThis service needs a runtime of version twenty-four or later. At the first start the program checks its dependencies, downloads what is missing and creates a key file in the data folder. Only the current user can read that file; do not commit it and do not send it to anybody by chat. If the key is lost, encrypted account passwords cannot be recovered and must be entered again.\n\nThere are three layers of configuration: defaults, the configuration file and environment variables. Variables win, which suits containers; the file suits servers that run for long. Most settings take effect at once, but the listening address and the data folder need a restart.',
  ],
  [
    'translation',
    'german',
    'Translate it into French.',
    '# Règlement des congés\n\n## Droit\n\nTout le personnel a droit à trente jours ouvrés de congé par année civile. Qui entre en cours d’année reçoit un douzième par mois complet. Les fractions sont arrondies à la demi-journée supérieure.\n\n## Demande\n\n1. Déposer la demande sur le portail au plus tard deux semaines avant le début.\n2. Indiquer le remplaçant et attendre son accord.\n3. Attendre la validation par la direction de l’équipe, sous trois jours ouvrés.\n\n## Report\n\n- Le solde peut être pris jusqu’au 31 mars de l’année suivante.\n- En cas de maladie prolongée, le délai est repoussé de douze mois.\n- Un paiement n’est possible qu’en cas de départ.',
  ],
  [
    'answer from a text',
    'german',
    'Wie viel Urlaub habe ich, wenn ich am 1. Juni anfange, und was muss ich tun?',
    'Bei einem Eintritt am 1. Juni stehen dir sieben volle Monate zu, also 7/12 von dreißig Tagen: 17,5 Tage. Aufgerundet wird auf halbe Tage, das passt hier genau. Stelle den Antrag mindestens vierzehn Tage vorher im Portal, trage deine Vertretung ein und warte, bis sie zugestimmt hat; die Teamleitung entscheidet danach innerhalb von drei Arbeitstagen. Was übrig bleibt, verfällt erst Ende März des nächsten Jahres.',
  ],
  [
    'answer from a text',
    'html',
    'Can I take my two children on a Monday, and what would it cost?',
    'Not on an ordinary Monday: the museum is closed then, unless it is a public holiday. From Tuesday to Sunday it is open 10 am to 6 pm, and until 9 pm on Thursdays. You would pay 12 € for yourself; children under 14 are free. Trams 4 and 11 stop at the door.',
  ],
  [
    'answer from a text',
    'testSummary',
    'Run the tests of the accounts folder.',
    'Two of the 620 tests fail, both in one suite; the other 41 suites pass. The run took 18 seconds. I will look at the failing suite next.',
  ],
  [
    'short output in an answer',
    'testSummary',
    'Run the tests of the accounts folder and tell me how it looks.',
    `Not quite there yet. One suite still fails:\n\n\`\`\`\n${RESULTS.testSummary.split('\n').slice(0, 2).join('\n')}\n\`\`\`\n\nBoth failures come from the change of the cooldown: the spec still expects two minutes, but the setting now says ninety seconds. I would change the spec, since the setting is what you asked for. Everything else in the folder passes, and the run got three seconds faster than before.`,
  ],
  [
    'error in an answer',
    'errorLine',
    'Why does worker 3 not start?',
    `The worker stops while it loads its settings:\n\n\`\`\`\n${RESULTS.errorLine.trim()}\n\`\`\`\n\nThe file \`production.json\` is not there. Workers 1 and 2 were started from the old image, which still contained it; the new image expects it in the volume. Either mount the volume at /srv/shop/config or set CONFIG_FILE to where the file is now. After that a restart of worker 3 is enough.`,
  ],
  [
    'error in an answer',
    'traceback',
    'The receipts job fails, why?',
    "It fails in `render.py`, line 29:\n\n```\n    return template.fill(customer=order.customer.name, total=order.total_cents / 100)\nAttributeError: 'NoneType' object has no attribute 'name'\n```\n\nSo there is an order without a customer. The schema deletes orders together with their customer, but `load_orders` uses an outer join and the rows of the archive have none. Skip those, or print \"unknown\" for the name.",
  ],
  [
    'correction in the text',
    'shortTypescript',
    'There is a bug when a chunk ends between \\r and \\n. How would you fix it?',
    'Remember that the last chunk ended with a carriage return, and drop one line feed at the beginning of the next:\n\n```ts\nprivate endedWithReturn = false;\n\npush(chunk: string): string[] {\n  const text = this.endedWithReturn && chunk.startsWith("\\n") ? chunk.slice(1) : chunk;\n  this.endedWithReturn = text.endsWith("\\r");\n  return this.split(text);\n}\n```\n\nThe rest can stay. Add a test with every split position; the present one only splits between events.',
  ],
  [
    'correction in the text',
    'sql',
    'The list of open orders is slow.',
    'The view joins every order, though few are open. A partial index helps:\n\n```sql\nCREATE INDEX open_orders_by_age ON orders (placed_at) WHERE shipped_at IS NULL;\n```\n\nWith it the planner reads open orders only. `orders_by_customer` cannot be used here, since the view has no condition on the customer. If the list is paged, sort by `placed_at` and keep the last id.',
  ],
  [
    'new code in the style of the old',
    'python',
    'Write a test for reserve.',
    'Here is one:\n\n```python\nimport pytest\n\nfrom inventory import OutOfStockError, Shelf, Warehouse\n\n\ndef test_reserve_takes_what_is_there():\n    shelf = Shelf(capacity=10)\n    shelf.put("A-1", 4)\n    warehouse = Warehouse([shelf])\n\n    warehouse.reserve("A-1", 3)\n\n    assert warehouse.available("A-1") == 1\n\n\ndef test_reserve_refuses_more_than_is_there():\n    warehouse = Warehouse([Shelf(capacity=10)])\n\n    with pytest.raises(OutOfStockError) as error:\n        warehouse.reserve("A-1", 1)\n\n    assert error.value.available == 0\n```\n\nRun it with `pytest -q`.',
  ],
  [
    'review of a diff',
    'diff',
    'Review the last commit.',
    'The change wakes a warm page before it is used, which is right: a page that Chromium froze in the background answers nothing. Two remarks. First, the wake-up has a time limit of its own, and I could not find a test in which it runs out; a page that hangs there should be thrown away and not handed to a caller. Second, the longer limit for two browser tests hides a real cost: the first paint after waking takes up to a second on this machine. I would measure it before raising limits further.',
  ],
  [
    'listing in words',
    'listing',
    'Which is the biggest file in src/accounts, and is that a problem?',
    'The two biggest are `accounts.service.ts` and its spec, both a little under ten kilobytes. That is about 250 lines, so the limit is near; the next feature should go into a file of its own. Everything else is small: most files are two to three kilobytes.',
  ],
  [
    'configuration in words',
    'yaml',
    'How do I run this with docker?',
    'Copy `.env.example` to `.env`, set `API_KEY` there, and run `docker compose up -d`. The service listens on 26405, and data is kept in a named volume, so a new image keeps accounts and logs. If you want several replicas, add Redis and set `REDIS_URL`; without it each container has a pool of its own.',
  ],
  [
    'log in words',
    'log',
    'What went wrong last night?',
    'Two things. Payments were retried again and again because the gateway timed out, most of them from the `jobs` worker, and receipts could not be written since the disk was full (`ENOSPC`). The second explains the first only in part: retries began before the disk ran full. Free some space on the receipts volume, then look at the timeouts of the payment gateway between ten and half past ten.',
  ],
  [
    'chinese answer',
    'chinese',
    '密钥文件丢了怎么办？升级要注意什么？',
    '密钥丢了以后，之前保存的账号密码都解不开，只能重新添加账号并输入密码；其他数据不受影响。建议平时把密钥和数据目录分开备份。升级前先停掉服务再备份，迁移由脚本完成，失败也不会改动数据库，所以可以放心重试。',
  ],
];

export const WRITTEN: readonly LabelledReply[] = REPLIES.map(([kind, result, asked, reply]) => ({
  kind,
  name: result,
  asked,
  results: [{ text: RESULTS[result] }],
  reply,
}));
