import { type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Logs of everyday programs with one line, or a few, that their reader was looking for. */
export const everydayLogResults: readonly CorpusEntry[] = [
  nginxAccess(),
  systemJournal(),
  proxyLog(),
  mailLog(),
  containerStart(),
  zoneLoad(),
];

function nginxAccess(): CorpusEntry {
  const make = new Maker(109);
  const lines = make.list(1500, (index) => {
    const time = `[12/Mar/2025:08:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')} +0000]`;
    const path = make.pick(['/', '/cart', '/api/items', '/static/app.js', '/login']);
    if (index === 713) {
      return `203.0.113.77 - - ${time} "POST /admin/export HTTP/1.1" 200 98231455 "-" "curl/8.4.0"`;
    }
    if (index === 1100) {
      return `10.0.4.${make.number(1, 60)} - - ${time} "GET /api/items HTTP/1.1" 502 157 "-" "Mozilla/5.0"`;
    }
    return `10.0.4.${make.number(1, 60)} - - ${time} "GET ${path} HTTP/1.1" ${make.pick([200, 200, 200, 304])} ${make.number(300, 9000)} "-" "Mozilla/5.0"`;
  });
  return {
    name: 'an access log of nginx',
    kind: 'log',
    tool: shell('docker logs proxy'),
    text: lines.join('\n'),
    facts: [
      '203.0.113.77',
      '/admin/export',
      '98231455',
      '08:11:53',
      '" 502 157',
      '08:18:20',
      '1498 lines like this',
    ],
  };
}

function systemJournal(): CorpusEntry {
  const make = new Maker(110);
  const units = ['systemd[1]', 'dbus-daemon[611]', 'NetworkManager[702]', 'sshd[901]', 'CRON[4711]'] as const;
  const lines = make.list(900, (index) => {
    const time = `Mar 12 ${String(8 + Math.floor(index / 300)).padStart(2, '0')}:${String(Math.floor(index / 5) % 60).padStart(2, '0')}:${String((index * 11) % 60).padStart(2, '0')}`;
    const head = `${time} web-3 `;
    const rare: Readonly<Record<number, string>> = {
      402: 'kernel: EXT4-fs (sda2): re-mounted. Opts: errors=remount-ro',
      577: 'sudo[5150]: ada : TTY=pts/2 ; PWD=/root ; USER=root ; COMMAND=/usr/bin/systemctl stop nginx',
      640: 'chronyd[655]: System clock wrong by 7.215 seconds',
    };
    const unit = make.pick(units);
    return (
      head +
      (rare[index] ??
        `${unit}: ${unit.startsWith('sshd') ? `Accepted publickey for deploy from 10.0.0.${make.number(2, 20)} port ${make.number(30000, 60000)}` : `Started ${make.pick(['Session', 'Daily', 'User'])} ${make.number(1, 999)} of ${make.pick(['root', 'deploy'])}.`}`)
    );
  });
  const times = [402, 577, 640].map((index) => lines[index]?.slice(0, 15) ?? '');
  return {
    name: 'a journal of the system',
    kind: 'log',
    tool: shell('journalctl -u "*" --since today'),
    text: lines.join('\n'),
    facts: ['re-mounted', 'systemctl stop nginx', 'wrong by 7.215 seconds', ...times],
  };
}

function proxyLog(): CorpusEntry {
  const make = new Maker(113);
  const lines = make.list(2000, (index) => {
    const time = `Mar 14 09:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`;
    const agent = index === 1333 ? 'sqlmap/1.8' : make.pick(['Mozilla/5.0', 'okhttp/4.12', 'Safari/17']);
    const method = index === 870 ? 'PURGE' : make.pick(['GET', 'GET', 'POST']);
    const path = index === 1600 ? '/.env' : `/shop/item/${make.number(1, 900)}/${make.word()}`;
    return `${time} lb-1 haproxy[2211]: 10.2.${make.number(0, 9)}.${make.number(1, 250)}:${make.number(20000, 60000)} web~ app/app-${index % 4} 0/0/1/${make.number(3, 90)}/${make.number(4, 99)} 200 ${make.number(300, 9000)} - - ---- "${method} ${path} HTTP/1.1" ua=${agent}`;
  });
  return {
    name: 'a log of HAProxy with many paths',
    kind: 'log',
    tool: shell('journalctl -t haproxy'),
    text: lines.join('\n'),
    facts: ['sqlmap/1.8', 'PURGE', '/.env', '09:22:13', '09:14:30', '09:26:40'],
  };
}

function mailLog(): CorpusEntry {
  const make = new Maker(114);
  const rare: Readonly<Record<number, string>> = {
    220: 'opendkim[812]: key data rotated to selector mail2025b',
    500: 'postfix/master[700]: reload -- version 3.7.6, configuration /etc/postfix',
    501: 'postfix/master[700]: reload -- version 3.7.6, configuration /etc/postfix',
    760: 'clamd[640]: SelfCheck: Database modification detected. Forcing reload.',
    901: 'postfix/qmgr[702]: 4F2A1: from=<news@acme.test>, size=48811233, nrcpt=9120 (queue active)',
  };
  const lines = make.list(1100, (index) => {
    const time = `Mar 15 ${String(10 + Math.floor(index / 360)).padStart(2, '0')}:${String(Math.floor(index / 6) % 60).padStart(2, '0')}:${String((index * 10) % 60).padStart(2, '0')}`;
    const id = make.hex(5).toUpperCase();
    const usual = make.pick([
      `postfix/smtpd[${make.number(900, 990)}]: connect from mx${make.number(1, 40)}.${make.word()}.test[10.9.0.${make.number(1, 200)}]`,
      `postfix/smtpd[${make.number(900, 990)}]: disconnect from mx${make.number(1, 40)}.${make.word()}.test[10.9.0.${make.number(1, 200)}]`,
      `postfix/qmgr[702]: ${id}: from=<${make.word()}@${make.word()}.test>, size=${make.number(900, 90000)}, nrcpt=1 (queue active)`,
      `postfix/qmgr[702]: ${id}: removed`,
      `dovecot: imap-login: Login: user=<${make.word()}>, method=PLAIN, rip=10.9.1.${make.number(1, 90)}`,
    ]);
    return `${time} mail-1 ${rare[index] ?? usual}`;
  });
  return {
    name: 'a log of a mail server',
    kind: 'log',
    tool: shell('cat /var/log/mail.log'),
    text: lines.join('\n'),
    facts: [
      'selector mail2025b',
      'Forcing reload.',
      'reload -- version 3.7.6',
      'nrcpt=9120',
      ...[220, 500, 760, 901].map((index) => lines[index]?.slice(0, 15) ?? ''),
    ],
  };
}

/** Steps with check marks, none of which is a test; one took long, and one container was made anew. */
function containerStart(): CorpusEntry {
  const make = new Maker(113);
  const lines = make.list(60, (index) => {
    const state = index === 21 ? 'Recreated' : index === 33 ? 'Healthy' : 'Started';
    const seconds = index === 44 ? '31.2' : `0.${make.number(1, 9)}`;
    return ` ✔ Container shop-${make.word()}-${index}  ${state}  ${seconds}s`;
  });
  return {
    name: 'the start of containers',
    kind: 'log',
    tool: shell('docker compose up -d'),
    text: ['[+] Running 60/60', ...lines].join('\n'),
    facts: ['Running 60/60', ...[21, 33, 44].map((index) => lines[index] ?? '')],
  };
}

/** The load of zones, one of which is the fullest without being far from the others. */
function zoneLoad(): CorpusEntry {
  const make = new Maker(114);
  const lines = make.list(
    200,
    (index) =>
      `zone ${make.word()}-${index} has cpu ${make.number(0, 97)} % and disk ${index === 133 ? 99 : make.number(0, 70)} %`,
  );
  return {
    name: 'the load of zones',
    kind: 'log',
    tool: shell('./capacity'),
    text: lines.join('\n'),
    facts: ['disk 99 %', '200 lines'],
  };
}
