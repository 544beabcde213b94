import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Pages, feeds, reports and binary content. */
export const markupResults: readonly CorpusEntry[] = [
  newsPage(),
  shopPage(),
  pageWithTable(),
  testReport(),
  feed(),
  siteMap(),
  catalogue(),
  hexDigits(),
  programDump(),
  mailedFile(),
  program(),
];

function newsPage(): CorpusEntry {
  const make = new Maker(81);
  const links = make.list(40, (index) => ({
    href: `https://news.example/${make.word()}/${index}`,
    label: make.words(4),
  }));
  const paragraphs = make.list(12, () => make.words(50));
  return {
    name: 'a news page',
    kind: 'html',
    tool: call('fetch', { url: 'https://news.example/' }),
    text: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Daily &mdash; News</title><script>${'window.q=window.q||[];'.repeat(300)}</script><style>${'.c{margin:0;padding:0}'.repeat(200)}</style></head><body class="home page-template"><nav class="menu menu--top">${links.map(({ href, label }) => `<a class="menu__link js-track" data-id="${make.hex(8)}" href="${href}"><span class="menu__label">${label}</span></a>`).join('\n')}</nav><main><h1>Harbour opens</h1>${paragraphs.map((text, index) => `<h2 class="t">Part ${index}</h2><p class="body-copy body-copy--large" style="margin:0 auto">${text}</p>`).join('')}</main><footer>&copy; 2025 Daily</footer></body></html>`,
    facts: [
      'Daily — News',
      'Harbour opens',
      ...links.flatMap(({ href, label }) => [href, label]),
      ...paragraphs,
      'Part 0',
      'Part 11',
      '© 2025 Daily',
    ],
  };
}

function shopPage(): CorpusEntry {
  const make = new Maker(82);
  const items = make.list(60, (index) => ({
    name: make.words(3),
    price: `${make.number(5, 900)}.99 €`,
    href: `/p/${make.hex(8)}?ref=${index}`,
  }));
  const icon = `<svg viewBox="0 0 24 24">${'<path d="M12 21.35l-1.45-1.32C5.4 15.36 2 12.28 2 8.5"/>'.repeat(6)}</svg>`;
  return {
    name: 'a list of products',
    kind: 'html',
    tool: call('browser_get_html', {}),
    text: `<html><body><div id="root">${items.map(({ name, price, href }) => `<div class="card card--product col-6 col-md-4" data-sku="${make.hex(12)}"><a class="card__link" href="${href}" aria-label="product">${icon}<h3 class="card__title">${name}</h3></a><div class="card__price price price--big"><span>${price}</span></div></div>`).join('\n')}</div></body></html>`,
    facts: items.flatMap(({ name, price, href }) => [name, price, href]),
  };
}

function pageWithTable(): CorpusEntry {
  const make = new Maker(83);
  const rows = make.list(
    200,
    (index) =>
      `<tr class="row ${index % 2 ? 'odd' : 'even'}"><td class="num">${index + 1}</td><td>${make.word()}</td><td class="state">${index === 130 ? 'withdrawn' : 'listed'}</td><td>${index === 55 ? 912_345 : make.number(10, 99)}</td></tr>`,
  );
  return {
    name: 'a page with a long table',
    kind: 'html',
    tool: call('fetch', { url: 'https://exchange.example/list' }),
    text: `<!DOCTYPE html><html><head><title>Listings</title></head><body><h1>Listings</h1><table class="table table-striped"><thead><tr><th>No</th><th>Name</th><th>State</th><th>Volume</th></tr></thead><tbody>${rows.join('\n')}</tbody></table><a href="/list?page=2">Next page</a></body></html>`,
    facts: [
      'Listings',
      'No',
      'Name',
      'State',
      'Volume',
      'withdrawn',
      '131',
      '912345',
      '/list?page=2',
      '200 rows',
    ],
  };
}

function testReport(): CorpusEntry {
  const make = new Maker(84);
  const suites = make.list(14, (suite) => {
    const cases = make.list(30, (index) =>
      suite === 5 && index % 10 === 4
        ? `    <testcase classname="com.example.S${suite}" name="fails ${index}" time="0.5">\n      <failure message="expected ${index} but was 0" type="AssertionError">at S5.java:${index + 100}</failure>\n    </testcase>`
        : `    <testcase classname="com.example.S${suite}" name="${make.word()} ${index}" time="0.0${make.number(1, 9)}"/>`,
    );
    return `  <testsuite name="S${suite}" tests="30" failures="${suite === 5 ? 3 : 0}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  return {
    name: 'a JUnit report',
    kind: 'xml',
    tool: call('read_file', { path: 'target/junit-report.xml' }),
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="420" failures="3" time="31.2">\n${suites.join('\n')}\n</testsuites>\n`,
    facts: [
      'tests="420"',
      'failures="3"',
      '31.2',
      ...[4, 14, 24].flatMap((index) => [
        `fails ${index}`,
        `expected ${index} but was 0`,
        `S5.java:${index + 100}`,
      ]),
    ],
  };
}

function feed(): CorpusEntry {
  const make = new Maker(85);
  const items = make.list(30, (index) => ({
    title: make.words(6),
    link: `https://blog.example/${index}-${make.word()}`,
    date: `Mon, ${String(index + 1).padStart(2, '0')} Mar 2025 08:00:00 GMT`,
  }));
  return {
    name: 'a feed',
    kind: 'xml',
    tool: call('fetch', { url: 'https://blog.example/feed' }),
    text: `<?xml version="1.0"?>\n<rss version="2.0">\n<channel>\n<title>Blog</title>\n${items.map(({ title, link, date }) => `<item>\n<title>${title}</title>\n<link>${link}</link>\n<pubDate>${date}</pubDate>\n<description><![CDATA[<p>${make.words(150)}</p>]]></description>\n</item>`).join('\n')}\n</channel>\n</rss>`,
    facts: ['Blog', ...items.flatMap(({ title, link, date }) => [title, link, date])],
  };
}

function siteMap(): CorpusEntry {
  const make = new Maker(86);
  const urls = make.list(
    500,
    (index) =>
      `<url>\n<loc>https://site.example/${make.word()}/${make.word()}-${index}</loc>\n<lastmod>${index === 250 ? '1999-12-31' : '2025-03-10'}</lastmod>\n<priority>${index === 100 ? '1.0' : '0.5'}</priority>\n</url>`,
  );
  return {
    name: 'a site map',
    kind: 'xml',
    tool: shell('curl -s https://site.example/sitemap.xml'),
    text: `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>`,
    facts: [
      '1999-12-31',
      '<priority>1.0</priority>',
      '-250</loc>',
      '-100</loc>',
      '-0</loc>',
      '-499</loc>',
      '500 rows',
    ],
  };
}

function catalogue(): CorpusEntry {
  const make = new Maker(87);
  const books = make.list(
    120,
    (index) =>
      `  <book id="bk${index}">\n    <author>${make.words(2)}</author>\n    <title>${make.words(4)}</title>\n    <price currency="${index === 44 ? 'GBP' : 'EUR'}">${index === 80 ? '0.00' : `${make.number(5, 60)}.95`}</price>\n    <description>${make.words(50)}</description>\n  </book>`,
  );
  return {
    name: 'a catalogue',
    kind: 'xml',
    tool: call('soap_request', { action: 'GetCatalogue' }),
    text: `<catalogue generated="2025-03-10">\n${books.join('\n')}\n</catalogue>`,
    facts: [
      'generated="2025-03-10"',
      'id="bk44"',
      'GBP',
      'id="bk80"',
      '0.00',
      'id="bk0"',
      'id="bk119"',
      '120 rows',
      'author',
      'title',
      'description',
    ],
  };
}

function hexDigits(): CorpusEntry {
  const make = new Maker(88);
  return {
    name: 'a long hexadecimal text',
    kind: 'blob',
    tool: shell('openssl dgst -hex'),
    text: `key id 0x4f2a\n${make.hex(20_000)}\nverified: yes\n`,
    facts: ['key id 0x4f2a', 'verified: yes', 'digits omitted'],
  };
}

function programDump(): CorpusEntry {
  const make = new Maker(91);
  const lines = make.list(600, (index) => {
    const groups = make.list(8, () => make.hex(4)).join(' ');
    return `${(index * 16).toString(16).padStart(8, '0')}: ${groups}  ................`;
  });
  return {
    name: 'a dump of a program',
    kind: 'blob',
    tool: shell('xxd tool'),
    text: `${lines.join('\n')}\n`,
    facts: ['[600 lines of a dump in all]', lines[0] ?? '', lines[63] ?? '', lines[599] ?? ''],
  };
}

function mailedFile(): CorpusEntry {
  const make = new Maker(89);
  const encoded =
    Buffer.from(make.list(30_000, () => make.number(0, 255)))
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return {
    name: 'a mail with an attachment',
    kind: 'blob',
    tool: call('get_message', { id: 7 }),
    text: `From: ada@example.org\nTo: bob@example.org\nSubject: The plans\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nHere they are.\n--x\nContent-Type: application/pdf; name="plans.pdf"\nContent-Transfer-Encoding: base64\n\n${encoded.join('\n')}\n--x--\n`,
    facts: ['From: ada@example.org', 'Subject: The plans', 'Here they are.', 'name="plans.pdf"', 'base64'],
  };
}

function program(): CorpusEntry {
  const make = new Maker(90);
  const junk = make
    .list(12_000, () => String.fromCharCode(make.pick([0, 1, 2, 3, 0xfffd, 0xfffd, 0x41, 0x7f])))
    .join('');
  return {
    name: 'a program file',
    kind: 'blob',
    tool: shell('curl -s https://dl.example/tool'),
    text: `\x7fELF\x02\x01\x01\0\0\0\0${junk}\n/lib64/ld-linux-x86-64.so.2\n${junk}`,
    facts: ['ELF', '/lib64/ld-linux-x86-64.so.2', 'binary characters omitted'],
  };
}
