import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

const COUNTRIES = ['DE', 'FR', 'US', 'JP', 'BR'] as const;

export const jsonResults: readonly CorpusEntry[] = [
  users(),
  orders(),
  pods(),
  bigNumbers(),
  metrics(),
  issues(),
  graph(),
  searchHits(),
  smallList(),
  dictionary(),
  picture(),
];

function users(): CorpusEntry {
  const make = new Maker(1);
  const rows = make.list(400, (index) => ({
    id: 1000 + index,
    name: make.words(2),
    email: `${make.word()}${index}@example.org`,
    active: index !== 211,
    role: index === 97 ? 'superadmin' : make.pick(['viewer', 'editor', 'owner']),
    country: make.pick(COUNTRIES),
    lastLogin: index === 305 ? null : make.time(index * 3600),
    loginCount: index === 33 ? 987654 : make.number(1, 90),
  }));
  return {
    name: 'users of an API, indented',
    kind: 'json',
    tool: call('list_users', { limit: 400 }),
    text: JSON.stringify({ total: 400, nextCursor: 'c2Vjb25k', users: rows }, undefined, 2),
    facts: [
      ...[
        '"total": 400',
        'c2Vjb25k',
        '400 rows',
        '1211',
        'superadmin',
        '1097',
        '1305',
        '987654',
        '1033',
        '1000',
        '1399',
      ],
      ...['id', 'name', 'email', 'active', 'role', 'country', 'lastLogin', 'loginCount'],
      ...COUNTRIES.map((country) => `"${country}" ${rows.filter((row) => row.country === country).length}`),
    ],
  };
}

function orders(): CorpusEntry {
  const make = new Maker(2);
  const rows = make.list(900, (index) => ({
    orderId: `ORD-${100_000 + index}`,
    status: index % 300 === 150 ? 'payment_failed' : make.pick(['shipped', 'delivered', 'processing']),
    total: index === 420 ? '-15.00' : `${make.number(10, 300)}.${make.number(10, 99)}`,
    currency: 'EUR',
    customer: { id: make.number(1, 5000), tier: index === 777 ? 'platinum' : 'standard' },
    items: make.list(make.number(1, 4), () => ({
      sku: `SKU-${make.number(100, 999)}`,
      qty: make.number(1, 3),
    })),
    ...(index === 600 ? { refundReason: 'damaged in transit' } : {}),
  }));
  return {
    name: 'orders with nested items, compact',
    kind: 'json',
    tool: call('query_orders', { from: '2025-01-01' }),
    text: JSON.stringify(rows),
    facts: [
      ...[
        'ORD-100150',
        'ORD-100450',
        'ORD-100750',
        'payment_failed',
        'ORD-100420',
        '-15.00',
        'ORD-100777',
        'platinum',
      ],
      ...[
        'ORD-100600',
        'damaged in transit',
        'refundReason',
        'ORD-100000',
        'ORD-100899',
        '900 rows',
        'EUR',
        'sku',
        'qty',
      ],
    ],
  };
}

function pods(): CorpusEntry {
  const make = new Maker(3);
  const items = make.list(80, (index) => ({
    metadata: {
      name: `api-${make.hex(8)}-${index}`,
      namespace: make.pick(['prod', 'staging']),
      uid: make.hex(32),
    },
    spec: {
      nodeName: `node-${index % 6}`,
      containers: [{ name: 'app', image: `registry.example/app:1.${index % 3}.0` }],
    },
    status: {
      phase: index === 17 ? 'Failed' : 'Running',
      restartCount: index === 40 ? 213 : 0,
      ...(index === 17 ? { reason: 'Evicted', message: 'The node was low on resource: memory.' } : {}),
    },
  }));
  return {
    name: 'pods of a cluster as JSON',
    kind: 'json',
    tool: shell('kubectl get pods -A -o json'),
    text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 4),
    facts: [
      ...[
        'Failed',
        'Evicted',
        'The node was low on resource: memory.',
        items[17]?.metadata.name ?? '',
        '213',
      ],
      ...[
        items[40]?.metadata.name ?? '',
        'metadata.namespace',
        'spec.nodeName',
        'status.phase',
        'apiVersion',
        '80 rows',
      ],
    ],
  };
}

function bigNumbers(): CorpusEntry {
  const make = new Maker(4);
  const rows = make.list(250, (index) => {
    const id = `90071992547${String(40_993 + index).padStart(5, '0')}`;
    const rate = index === 120 ? '123456789012345678901234567890.5' : `0.${make.number(100, 999)}000`;
    return `{"id":${id},"rate":${rate},"flag":${index === 200 ? 'false' : 'true'}}`;
  });
  return {
    name: 'integers beyond 2^53 and long decimals',
    kind: 'json',
    tool: call('http_get', { url: 'https://api.example/rates' }),
    text: `[${rows.join(',')}]`,
    facts: [
      '9007199254740993',
      '9007199254741242',
      '123456789012345678901234567890.5',
      '9007199254741113',
      '9007199254741193',
      '250 rows',
    ],
  };
}

function metrics(): CorpusEntry {
  const make = new Maker(5);
  const points = make.list(3000, (index) => [
    make.time(index * 60),
    index === 1500 ? 9999.5 : make.number(100, 200) / 10,
  ]);
  return {
    name: 'a series of measurements',
    kind: 'json',
    tool: call('query_metrics', { query: 'rate(http_requests_total[5m])' }),
    text: JSON.stringify({ status: 'success', data: { resultType: 'matrix', values: points } }),
    facts: [make.time(0), make.time(2999 * 60), '3000 rows', 'matrix', 'success'],
  };
}

function issues(): CorpusEntry {
  const make = new Maker(6);
  const rows = make.list(30, (index) => ({
    url: `https://api.example.org/repos/a/b/issues/${500 + index}`,
    number: 500 + index,
    title: `${make.words(6)}`,
    state: index === 12 ? 'closed' : 'open',
    user: {
      login: make.word(),
      avatar_url: `https://img.example.org/${make.hex(24)}`,
      type: index === 20 ? 'Bot' : 'User',
    },
    labels: make.list(make.number(0, 2), () => ({ name: make.pick(['bug', 'docs', 'help']) })),
    comments: index === 25 ? 412 : make.number(0, 9),
    body: make.words(120),
  }));
  return {
    name: 'issues with long bodies',
    kind: 'json',
    tool: call('list_issues', { repo: 'a/b' }),
    text: JSON.stringify(rows, undefined, 2),
    facts: [
      '"number": 512',
      'closed',
      '"number": 520',
      'Bot',
      '"number": 525',
      '412',
      '"number": 500',
      '"number": 529',
      '30 rows',
      'avatar_url',
    ],
  };
}

function graph(): CorpusEntry {
  const make = new Maker(7);
  const edges = make.list(150, (index) => ({
    cursor: make.hex(16),
    node: {
      id: `gid/${index}`,
      title: make.words(3),
      price: { amount: index === 66 ? '99999.00' : `${make.number(5, 80)}.00`, currencyCode: 'USD' },
    },
  }));
  return {
    name: 'a GraphQL connection',
    kind: 'json',
    tool: call('graphql', { query: '{ products { edges } }' }),
    text: JSON.stringify({
      data: { products: { totalCount: 4811, edges, pageInfo: { hasNextPage: true, endCursor: 'zz9' } } },
    }),
    facts: [
      '4811',
      'gid/66',
      '99999.00',
      'hasNextPage',
      'zz9',
      'gid/0',
      'gid/149',
      '150 rows',
      'currencyCode',
    ],
  };
}

function searchHits(): CorpusEntry {
  const make = new Maker(8);
  const hits = make.list(60, (index) => ({
    _index: 'docs',
    _id: make.hex(20),
    _score: Number((30 - index * 0.4).toFixed(3)),
    _source: {
      path: `docs/${make.word()}/${make.word()}.md`,
      lang: index === 31 ? 'fi' : 'en',
      text: make.words(40),
    },
  }));
  return {
    name: 'hits of a search engine',
    kind: 'json',
    tool: call('search_docs', { q: 'pool' }),
    text: JSON.stringify(
      {
        took: 12,
        timed_out: false,
        hits: { total: { value: 10_000, relation: 'gte' }, max_score: 30, hits },
      },
      undefined,
      2,
    ),
    facts: [
      '10000',
      '"relation": "gte"',
      hits[31]?._id ?? '',
      '"fi"',
      hits[0]?._id ?? '',
      hits[59]?._id ?? '',
      '60 rows',
      '"max_score": 30',
    ],
  };
}

function smallList(): CorpusEntry {
  const make = new Maker(9);
  const rows = make.list(14, (index) => ({
    service: `svc-${index}`,
    healthy: index !== 6,
    latencyMs: index === 9 ? 8123 : make.number(5, 40),
    version: '2.4.1',
  }));
  return {
    name: 'fourteen services',
    kind: 'json',
    tool: call('service_health'),
    text: JSON.stringify({ checkedAt: '2025-03-10T08:00:00Z', services: rows }, undefined, 4),
    facts: ['svc-6', 'svc-9', '8123', 'false', '2025-03-10T08:00:00Z', '2.4.1', 'svc-0', 'svc-13'],
  };
}

function dictionary(): CorpusEntry {
  const make = new Maker(10);
  const entries = make.list(300, (index): [string, object] => [
    `pkg-${make.hex(6)}@${index}.0.${index % 9}`,
    {
      size: index === 70 ? 88_888_888 : make.number(1000, 9000),
      license: index === 200 ? 'GPL-3.0' : 'MIT',
      checked: true,
    },
  ]);
  return {
    name: 'a dictionary of packages',
    kind: 'json',
    tool: call('license_report'),
    text: JSON.stringify({ generated: '2025-03-10', packages: Object.fromEntries(entries) }),
    facts: [
      '88888888',
      entries[70]?.[0] ?? '',
      'GPL-3.0',
      entries[200]?.[0] ?? '',
      '300 rows',
      entries[0]?.[0] ?? '',
      entries[299]?.[0] ?? '',
    ],
  };
}

function picture(): CorpusEntry {
  const make = new Maker(14);
  const bytes = Buffer.from(make.list(30_000, () => make.number(0, 255)));
  return {
    name: 'a picture in JSON',
    kind: 'blob',
    tool: call('screenshot'),
    text: JSON.stringify({
      width: 1280,
      height: 720,
      mime: 'image/png',
      data: `data:image/png;base64,${bytes.toString('base64')}`,
      title: 'Log in',
    }),
    facts: ['1280', '720', 'image/png', 'Log in', 'data:image/png;base64,', 'characters omitted'],
  };
}
