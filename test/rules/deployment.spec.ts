import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseBrowserEndpoints } from '../../src/common/config/browser-endpoints.js';
import { settingInfos } from '../../src/common/config/setting.decorators.js';
import { Settings } from '../../src/common/config/settings.js';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
/** The first groups of all matches. */
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const compose = read('compose.cluster.yaml');
const haproxy = read('deploy', 'haproxy', 'haproxy.cfg');
const gateways = read('deploy', 'k8s', 'gateways.yaml');
const kustomization = read('deploy', 'k8s', 'kustomization.yaml');
const secrets = read('deploy', 'k8s', 'secret.env.example');
const guide = read('deploy', 'k8s', 'README.md');
/** The object of `gateways.yaml` with a kind and a name. */
const manifest = (kind: string, name: string): string =>
  gateways
    .split('\n---\n')
    .find((text) => text.includes(`kind: ${kind}\n`) && text.includes(`  name: ${name}\n`)) ?? '';

/** Agreement of these files with the gateway and with one another, which their tools cannot check. */
describe('files for several gateways', () => {
  it('name settings that exist', () => {
    const [gateway = ''] = /x-gateway:[^]*?networks:/.exec(compose) ?? [];
    const named = [
      ...all(gateway, /^ {4}([A-Z_]+): /gm),
      ...all(kustomization, /^ +- ([A-Z_]+)=/gm),
      ...all(secrets, /^([A-Z_]+)=/gm),
    ];
    const known = new Set(settingInfos().map(({ name }) => name));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each([
    ['compose.yaml', read('compose.yaml'), 1],
    ['compose.cluster.yaml', compose, 4],
  ])('bound the memory and the threads of all that %s runs', (_, text, containers) => {
    const found = [/^ +restart: /gm, /^ +mem_limit: \dg$/gm, /^ +pids_limit: \d+$/gm];
    expect(found.map((pattern) => text.match(pattern)?.length)).toEqual([containers, containers, containers]);
  });

  it('name the browsers that they start', () => {
    const endpoints = (text: string, pattern: RegExp): string[] =>
      parseBrowserEndpoints(pattern.exec(text)?.[1] ?? '').map(({ url }) => url.host);
    const services = all(compose, /^ {2}(browser-\d+):/gm).map((name) => `${name}:9222`);
    expect(endpoints(compose, /BROWSER_ENDPOINTS: (\S+)/)).toEqual(services);
    const replicas = Number(/replicas: (\d+)/.exec(read('deploy', 'k8s', 'browsers.yaml'))?.[1]);
    const pods = Array.from({ length: replicas }, (_, at) => `browser-${at}.browser:9222`);
    expect(endpoints(kustomization, /BROWSER_ENDPOINTS=(\S+)/)).toEqual(pods);
  });

  it('leave running answers the time that they may take at the end', () => {
    const timesMs = (text: string) => all(text, /(?:SHUTDOWN_DELAY|DRAIN)_MS[:=] ?(\d+)/g).map(Number);
    const needed = [timesMs(compose), timesMs(kustomization)].map(([delay, drain]) => delay! + drain!);
    const grace = [
      /stop_grace_period: (\d+)s/.exec(compose)?.[1],
      /terminationGracePeriodSeconds: (\d+)/.exec(gateways)?.[1],
    ].map((seconds) => Number(seconds) * 1000);
    grace.forEach((ms, at) => expect(ms - needed[at]!).toBeGreaterThanOrEqual(15_000));
  });

  it('keep what running answers need until their gateway has stopped', () => {
    const [gateway = ''] = /x-gateway:[^]*?\n\n/.exec(compose) ?? [];
    // Compose stops a service before those that it depends on, and all others at once.
    const needed = ['postgres', ...all(compose, /^ {2}(browser-\d+):/gm)];
    expect(all(gateway, /^ {4}([\w-]+): \{ condition: /gm)).toEqual(needed);
    const graceOf = (text: string) => Number(/stop_grace_period: (\d+)s/.exec(text)?.[1]);
    const [balancer = ''] = /^ {2}balancer:\n(?: {4}.*\n)*/m.exec(compose) ?? [];
    expect(balancer).toContain('stop_signal: SIGUSR1\n');
    expect(graceOf(balancer)).toBeGreaterThan(graceOf(gateway));
  });

  it('have a node serve on until the balancer has noticed that it stops', () => {
    const [, inter, fast] = /inter (\d+)s fastinter (\d+)ms fall 2/.exec(haproxy)!;
    const probe = Number(
      /readinessProbe:[^]*?periodSeconds: (\d+)[^]*?failureThreshold: 2/.exec(gateways)?.[1],
    );
    const delay = (text: string) => Number(/SHUTDOWN_DELAY_MS[:=] ?(\d+)/.exec(text)?.[1]);
    expect(delay(compose)).toBeGreaterThanOrEqual(2 * (Number(inter) * 1000 + Number(fast)));
    expect(delay(kustomization)).toBeGreaterThan(2 * probe * 1000);
  });

  it('have a balancer that is more patient than a gateway is silent, and sends nothing twice', () => {
    const { HEARTBEAT_AFTER_MS, HEARTBEAT_INTERVAL_MS } = new Settings();
    const idle = all(haproxy, /timeout (?:client|server|tunnel) (\d+)s/g).map((text) => Number(text) * 1000);
    expect(idle).toHaveLength(3);
    expect(Math.min(...idle)).toBeGreaterThan(HEARTBEAT_AFTER_MS + HEARTBEAT_INTERVAL_MS);
    expect(all(haproxy, /retry-on (.*)/g)).toEqual(['conn-failure']);
    const names = all(compose, /^ {2}(gateway-\d+):/gm);
    expect(all(haproxy, /^ +server (\S+) /gm)).toEqual([...names, ...names, ...names]);
    const dashboards = all(haproxy, /^ +server (\S+ \S+ cookie \S+)$/gm);
    expect(dashboards).toEqual(names.map((name) => `${name} ${name}:26405 cookie ${name}`));
  });
});

describe('the files for Kubernetes', () => {
  it('have the dashboard reached while no gateway is ready, as the balancer does', () => {
    expect(haproxy).toContain('use_backend dashboard if { path_beg /dashboard }');
    expect(/backend dashboard\n[^]*/.exec(haproxy)?.[0]).toContain('uri /health/live ');
    const [ready, alive] = [manifest('Service', 'gateway'), manifest('Service', 'gateway-alive')];
    expect(ready).not.toContain('publishNotReadyAddresses');
    expect(alive).toContain('  publishNotReadyAddresses: true\n');
    for (const service of [ready, alive]) {
      expect(service).toContain('  selector: { app: gateway }\n');
      expect(service).toContain('targetPort: http }');
    }
    // Callers wait for a gateway that can serve; all else, with the log that the dashboard reads, does not.
    expect(guide).toMatch(/^\| `\/v1`, `\/v1beta`, `\/api` +\| `gateway` +\|/m);
    expect(guide).toMatch(/^\| `\/` +\| `gateway-alive` +\| .*cookie/m);
  });

  it('end a rolling update, and let nodes be drained, with as many gateways as accounts', () => {
    const deployment = manifest('Deployment', 'gateway');
    // A gateway beyond the accounts has none, and is not ready until an old one goes.
    expect(deployment).toContain('rollingUpdate: { maxUnavailable: 1, maxSurge: 0 }');
    const budget = manifest('PodDisruptionBudget', 'gateway');
    expect(budget).toContain('  maxUnavailable: 1\n');
    expect(budget).not.toContain('minAvailable');
    expect(budget).toContain('  unhealthyPodEvictionPolicy: AlwaysAllow\n');
    const replicas = Number(/^ {2}replicas: (\d+)/m.exec(deployment)?.[1]);
    expect(guide).toContain(`needs at least ${replicas} accounts for these ${replicas} gateways`);
  });
});

describe('a file of settings, and what a provider leaves out', () => {
  it('is brought to Kubernetes as a copy, which the gateway can replace', () => {
    const deployment = manifest('Deployment', 'gateway');
    const [, first = ''] = /initContainers:\n([^]*?) {6}containers:/.exec(deployment) ?? [];
    expect(first).toContain('[ ! -e /data/config.json ]; then cp /config/config.json /data/;');
    expect(first).toContain('{ name: config, mountPath: /config, readOnly: true }');
    const [, main = ''] = / {6}containers:([^]*)/.exec(deployment) ?? [];
    expect(main).not.toContain('mountPath: /config');
    expect(deployment).toContain('configMap: { name: gateway-config, optional: true }');
    // The gateway looks for it where it starts.
    expect(read('Dockerfile')).toMatch(/^WORKDIR \/data$/m);
    expect(kustomization).toMatch(/# - name: gateway-config\n +# {3}files: \[config\.json\]/);
    expect(guide).toContain('`gateway-config`');
  });

  it('starts without a recipe and browsers, once what names them is taken out', () => {
    expect(gateways).toContain('configMap: { name: gateway-recipes, optional: true }');
    const [named = ''] = /- With `PROVIDER=openai`[^]*?\n(?=- )/.exec(guide) ?? [];
    for (const name of ['SITE_RECIPE', 'BROWSER_ENDPOINTS', 'gateway-recipes', 'browsers.yaml']) {
      expect(kustomization).toContain(name);
      expect(named).toContain(`\`${name}\``);
    }
  });
});

describe('the network of the browsers', () => {
  it('leads to the name servers of the cluster, also to a cache on each node', () => {
    const [names = ''] =
      /k8s-app: kube-dns[^]*?\n {4}- to:\n/.exec(read('deploy', 'k8s', 'network.yaml')) ?? [];
    expect(names).toContain('- ipBlock: { cidr: 169.254.20.10/32 }');
    expect(all(names, /protocol: (\w+), port: 53/g)).toEqual(['UDP', 'TCP']);
  });
});

describe('the image', () => {
  it('has the process environment of `npm start`, where NODE_OPTIONS of a container replace it', () => {
    const ofStart = read('scripts', 'lib', 'process-environment.mjs');
    const [, options = ''] = /^ {2}NODE_OPTIONS=(\S+) /m.exec(read('Dockerfile')) ?? [];
    expect(options).toContain('semi-space');
    expect(ofStart).toContain(`'${options}'`);
    const [, arenas = ''] = /^ {2}MALLOC_ARENA_MAX=(\d+) /m.exec(read('Dockerfile')) ?? [];
    expect(ofStart).toContain(`MALLOC_ARENA_MAX = '${arenas}'`);
  });

  it('has its compiled code kept by the user that runs the gateway, since Node keeps it apart by users', () => {
    const dockerfile = read('Dockerfile');
    const [, compiles] = /su (\w+) -c 'node dist\/compile-ahead\.js'/.exec(dockerfile)!;
    const runs = all(dockerfile, /^USER (\w+)$/gm).at(-1);
    expect(compiles).toBe(runs);
    expect(all(gateways, /runAsUser: (\d+)/g)).toEqual(['1000']);
  });
});
