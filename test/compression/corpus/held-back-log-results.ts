import { type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Logs of other programs than the everyday ones. No rule was made for one of these. */
export const heldBackLogResults: readonly CorpusEntry[] = [
  caddyLog(),
  apacheLog(),
  kernelLog(),
  serverLog(),
  routerLog(),
];

function caddyLog(): CorpusEntry {
  const make = new Maker(209);
  const lines = make.list(700, (index) =>
    JSON.stringify({
      level: 'info',
      ts: 1741766400 + index * 0.71,
      logger: 'http.log.access',
      msg: 'handled request',
      request: {
        remote_ip: index === 388 ? '198.51.100.9' : `10.1.0.${make.number(1, 40)}`,
        method: index === 388 ? 'DELETE' : 'GET',
        host: 'shop.acme.test',
        uri: index === 388 ? '/api/orders/4711' : make.pick(['/', '/cart', '/assets/app.css']),
      },
      duration: index === 512 ? 29.88 : make.number(1, 40) / 1000,
      size: make.number(200, 4000),
      status: 200,
    }),
  );
  return {
    name: 'an access log of Caddy',
    kind: 'json lines',
    tool: shell('docker logs caddy'),
    text: lines.join('\n'),
    facts: ['198.51.100.9', 'DELETE', '/api/orders/4711', '29.88', '700 rows'],
  };
}

function apacheLog(): CorpusEntry {
  const make = new Maker(210);
  const lines = make.list(1200, (index) => {
    const time = `[13/Mar/2025:14:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')} +0100]`;
    return index === 845
      ? `192.0.2.200 - admin ${time} "GET /wp-login.php?x=../../etc/passwd HTTP/1.1" 404 196`
      : `172.16.0.${make.number(1, 90)} - - ${time} "GET ${make.pick(['/', '/shop', '/img/a.png', '/img/b.png'])} HTTP/1.1" 200 ${make.number(400, 7000)}`;
  });
  return {
    name: 'an access log of Apache',
    kind: 'log',
    tool: shell('tail -n 1200 /var/log/apache2/access_log'),
    text: lines.join('\n'),
    facts: ['192.0.2.200', '/wp-login.php?x=../../etc/passwd', '14:14:05', '1199 lines like this'],
  };
}

function kernelLog(): CorpusEntry {
  const make = new Maker(211);
  const lines = make.list(640, (index) => {
    const time = `[${(index * 1.37 + 2).toFixed(6).padStart(12)}]`;
    const rare: Readonly<Record<number, string>> = {
      301: 'usb 2-1: USB disconnect, device number 7',
      455: 'nvme nvme0: I/O 512 QID 3 completion polled',
    };
    return `${time} ${rare[index] ?? `${make.pick(['IPv6: ADDRCONF(NETDEV_CHANGE)', 'docker0: port 1(veth)', 'br-lan: port 2(veth)'])}: ${make.pick(['entered blocking state', 'entered forwarding state', 'link becomes ready'])}`}`;
  });
  return {
    name: 'messages of a kernel',
    kind: 'log',
    tool: shell('dmesg'),
    text: lines.join('\n'),
    facts: [
      'USB disconnect, device number 7',
      'completion polled',
      ...[301, 455].map((index) => (index * 1.37 + 2).toFixed(6)),
    ],
  };
}

function serverLog(): CorpusEntry {
  const make = new Maker(214);
  const lines = make.list(1800, (index) => {
    const time = `2025-03-16 ${String(6 + Math.floor(index / 600)).padStart(2, '0')}:${String(Math.floor(index / 10) % 60).padStart(2, '0')}:${String((index * 6) % 60).padStart(2, '0')}`;
    const method = index === 432 ? 'TRACE' : 'GET';
    const stem = index === 1501 ? '/backup.zip' : `/catalog/${make.word()}/${make.number(1, 500)}`;
    const user = index === 999 ? 'ACME\\\\intern' : '-';
    return `${time} 10.3.0.4 ${method} ${stem} - 443 ${user} 10.8.${make.number(0, 5)}.${make.number(1, 250)} ${make.pick(['Mozilla/5.0', 'Edge/120'])} 200 0 0 ${make.number(3, 90)}`;
  });
  return {
    name: 'a log of IIS',
    kind: 'log',
    tool: shell('tail -n 1800 u_ex250316.log'),
    text: lines.join('\n'),
    facts: [
      'TRACE',
      '/backup.zip',
      'intern',
      ...[432, 999, 1501].map((index) => lines[index]?.slice(11, 19) ?? ''),
    ],
  };
}

function routerLog(): CorpusEntry {
  const make = new Maker(215);
  const rare: Readonly<Record<number, string>> = {
    150: 'daemon.notice netifd: Interface wan6 is now down',
    480: 'kern.info kernel: [92113.4] mt76 firmware reloaded',
    700: 'authpriv.notice dropbear[3310]: Password auth succeeded for root from 10.0.0.66:50112',
  };
  const lines = make.list(800, (index) => {
    const time = `Sun Mar 16 ${String(11 + Math.floor(index / 300)).padStart(2, '0')}:${String(Math.floor(index / 5) % 60).padStart(2, '0')}:${String((index * 12) % 60).padStart(2, '0')} 2025`;
    const mac = make.list(6, () => make.hex(2)).join(':');
    const usual = make.pick([
      `daemon.info dnsmasq-dhcp[1]: DHCPREQUEST(br-lan) 10.0.0.${make.number(2, 250)} ${mac}`,
      `daemon.info dnsmasq-dhcp[1]: DHCPACK(br-lan) 10.0.0.${make.number(2, 250)} ${mac} ${make.word()}`,
      `daemon.info hostapd: phy0-ap0: STA ${mac} WPA: group key handshake completed (RSN)`,
    ]);
    return `${time} ${rare[index] ?? usual}`;
  });
  return {
    name: 'a log of a router',
    kind: 'log',
    tool: shell('logread'),
    text: lines.join('\n'),
    facts: [
      'wan6 is now down',
      'mt76 firmware reloaded',
      'Password auth succeeded',
      ...[150, 480, 700].map((index) => lines[index]?.slice(4, 19) ?? ''),
    ],
  };
}
