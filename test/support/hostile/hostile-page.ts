import { type OddSiteOptions } from '../upstream/odd-site.js';
import { chatPage } from '../upstream/odd-site.js';
import { type Canary } from './canary.js';

/**
 * Ways by which a page may try to reach an address that it is not allowed: script that asks for `at(name)`, the address
 * with the way's name as its path. `run(name)` is the address of a page of the site that fetches `at(name)` itself.
 */
const WAYS: Readonly<Record<string, string>> = {
  fetch: `fetch(at('fetch'), { mode: 'no-cors' })`,
  'fetch-post': `fetch(at('fetch-post'), { mode: 'no-cors', method: 'POST', body: 'text' })`,
  'fetch-keepalive': `fetch(at('fetch-keepalive'), { mode: 'no-cors', keepalive: true })`,
  'fetch-redirect': `fetch(redirect('fetch-redirect'), { mode: 'no-cors' })`,
  beacon: `navigator.sendBeacon(at('beacon'), 'text')`,
  image: `new Image().src = at('image')`,
  'event-source': `new EventSource(at('event-source'))`,
  frame: `add('iframe', { src: at('frame') })`,
  'frame-redirect': `add('iframe', { src: redirect('frame-redirect') })`,
  'frame-of-site': `add('iframe', { src: run('frame-of-site') })`,
  object: `add('object', { data: at('object') })`,
  style: `add('link', { rel: 'stylesheet', href: at('style') })`,
  'link-prefetch': `add('link', { rel: 'prefetch', href: at('link-prefetch') })`,
  'link-preload': `add('link', { rel: 'preload', as: 'script', href: at('link-preload') })`,
  'speculation-prefetch': `speculate('prefetch', at('speculation-prefetch'))`,
  'form-in-frame': `add('iframe', { name: 'in' }); submit('form-in-frame', 'in')`,
  'data-worker': `new Worker('data:text/javascript,' + encodeURIComponent(fetching('data-worker')))`,
  'blob-worker': `new Worker(URL.createObjectURL(new Blob([fetching('blob-worker')])))`,
  worker: `new Worker('/script.js?worker')`,
  'shared-worker': `new SharedWorker('/script.js?shared-worker')`,
  'shared-data-worker': `new SharedWorker('data:text/javascript,' + encodeURIComponent(fetching('shared-data-worker')))`,
  'service-worker': `navigator.serviceWorker.register('/script.js?service-worker', { scope: '/other' })`,
  // In a frame: a refused download leads to an error page.
  download: `add('iframe', { srcdoc: '<a download href="' + at('download') + '"></a><script>document.links[0].click()<' + '/script>' })`,
};

/** A way that not every browser takes: the headless shell renders no page in advance. */
const RARE_WAYS: Readonly<Record<string, string>> = {
  'speculation-prerender': `speculate('prerender', run('speculation-prerender'))`,
};

/** The same for ways that need a window of their own. */
const WINDOW_WAYS: Readonly<Record<string, string>> = {
  popup: `window.open(at('popup'))`,
  'popup-redirect': `window.open(redirect('popup-redirect'))`,
  'popup-of-site': `window.open(run('popup-of-site'))`,
  'popup-noopener': `window.open(run('popup-noopener'), '_blank', 'noopener')`,
  'popup-sandboxed': `window.open(run('popup-sandboxed') + '&sandbox')`,
  'popup-of-frame': `add('iframe', { sandbox: 'allow-scripts allow-popups', srcdoc:
    '<script>window.open(' + JSON.stringify(location.origin + run('popup-of-frame')) + ')<' + '/script>' })`,
  'popup-by-form': `submit('popup-by-form', '_blank')`,
  'popup-by-link': `add('a', { href: at('popup-by-link'), target: '_blank', rel: 'noopener' }).click()`,
};

/** Ways that use no HTTP; each tells the site when it has come to its end. */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  websocket: `ended('websocket', (end) => { new WebSocket(socketUrl).onclose = end; })`,
  'web-transport': `ended('web-transport', (end) => new WebTransport('https://' + udpHost + '/').ready.then(end, end))`,
  'web-rtc': `ended('web-rtc', async (end) => {
    const connection = new RTCPeerConnection({ iceTransportPolicy: 'all', iceServers: [
      { urls: 'stun:' + udpHost },
      { urls: ['turn:' + udpHost + '?transport=udp', 'turn:' + host + '?transport=tcp'], username: 'u', credential: 'p' },
    ] });
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && end();
    connection.createDataChannel('data');
    await connection.setLocalDescription(await connection.createOffer());
  })`,
};

/** Names of the ways that send a request over HTTP. */
export const REQUEST_WAYS = Object.keys(WAYS);
/** Names of those that need a window. */
export const WINDOW_REQUEST_WAYS = Object.keys(WINDOW_WAYS);
/** Names of the ways that tell the site of their end: a path below `/ended/`. */
export const SIGNALLED_WAYS = Object.keys(OTHER_WAYS);

/** Routes of a chat site whose page tries every way to the canary at once, as soon as it is loaded. */
export function hostileRoutes(canary: Canary): NonNullable<OddSiteOptions['routes']> {
  const helpers = `
    const [host, udpHost, socketUrl] = ['${canary.host}', '${canary.udpHost}', 'ws://${canary.host}/websocket'];
    const at = (name) => 'http://' + host + '/' + name;
    const run = (name) => '/run?' + name;
    const redirect = (name) => '/redirect?' + name;
    const fetching = (name) => 'fetch(' + JSON.stringify(at(name)) + ', { mode: "no-cors" })';`;
  const pageHelpers = `
    const add = (tag, props) => {
      const element = Object.assign(document.createElement(tag), props);
      document.body.append(element);
      return element;
    };
    const submit = (name, target) =>
      add('form', { action: at(name), method: 'POST', target, enctype: 'text/plain' }).submit();
    const speculate = (kind, url) => add('script', { type: 'speculationrules',
      textContent: JSON.stringify({ [kind]: [{ urls: [url], eagerness: 'immediate' }] }) });
    const ended = (name, begin) => begin(() => fetch('/ended/' + name));`;
  const attempts = Object.values({ ...WAYS, ...RARE_WAYS, ...WINDOW_WAYS, ...OTHER_WAYS });
  const script = attempts.map((way) => `try { ${way}; } catch {}`).join('\n');
  return {
    '/': chatPage(`send.onclick = () => post(take()); ${helpers} ${pageHelpers}
      const escape = () => {
${script}
};
      onload = () => setTimeout(escape);`),
    '/script.js': `${helpers} eval(fetching(location.search.slice(1)));`,
    '/run': ({ url = '' }, response) => {
      const name = url.split(/[?&]/)[1] ?? '';
      const isSandboxed = url.endsWith('&sandbox');
      response.writeHead(200, {
        'content-type': 'text/html',
        ...(isSandboxed && { 'content-security-policy': 'sandbox allow-scripts' }),
      });
      response.end(`<script>${helpers} eval(fetching('${name}'));</script>`);
    },
    '/redirect': ({ url = '' }, response) => {
      response.writeHead(307, { location: `http://${canary.host}/${url.split('?')[1]}` }).end();
    },
  };
}
