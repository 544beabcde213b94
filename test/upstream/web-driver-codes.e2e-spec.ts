import { afterEach, describe, expect, it } from '@jest/globals';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { answerHello, chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { ask } from '../support/upstream/web-site.js';

/**
 * A site whose page shows its chat to everybody, and refuses prompts without an access code, which it keeps in
 * IndexedDB: in a store with keys in its records, a store without, and an index.
 */
const PAGE = chatPage(
  `
  let code;
  const opening = indexedDB.open('app', 2);
  opening.onupgradeneeded = () => {
    const people = opening.result.createObjectStore('people', { keyPath: 'id' });
    people.createIndex('by name', 'name', { unique: true });
    opening.result.createObjectStore('settings');
  };
  const done = (request, then) => (request.onsuccess = () => then(request.result));
  done(opening, (database) => {
    const read = database.transaction(['people', 'settings']);
    done(read.objectStore('settings').get('code'), (found) => {
      code = found?.value;
      done(read.objectStore('people').index('by name').get('alice'), (person) => {
        document.body.className = code && person ? 'known' : 'open';
      });
    });
    document.querySelector('#save').onclick = async () => {
      const write = database.transaction(['people', 'settings'], 'readwrite');
      code = document.querySelector('#code').value;
      write.objectStore('settings').put({ value: code, since: [1, null, { deep: true }] }, 'code');
      write.objectStore('settings').put(new Date(), 'a value that JSON would change');
      write.objectStore('people').put({ id: 7, name: 'alice' });
      write.oncomplete = async () => {
        await fetch('/saved', { method: 'POST' });
        document.body.className = 'known';
      };
    };
  });
  send.onclick = () => post(take(), '/api/chat', { headers: { 'x-code': code ?? '' } });`,
  '<input id="code"><button id="save">Save</button>',
);

const OPTIONS: OddSiteOptions = {
  routes: {
    '/': PAGE,
    '/saved': (_request, response) => response.end(),
    '/api/chat': ({ headers }, response) =>
      headers['x-code'] === 'secret' ? answerHello(response) : void response.writeHead(401).end('{}'),
  },
  recipe: {
    login: {
      when: 'unsaved',
      steps: [
        { action: 'goto', url: '{{site.origin}}/' },
        { action: 'waitFor', selector: '.open, .known' },
        { action: 'fill', selector: '#code', value: '{{account.password}}' },
        { action: 'click', selector: '#save' },
      ],
      success: { selector: '.known' },
    },
    newChat: { url: '{{site.origin}}/', ready: '#prompt' },
    signs: { loginWall: { response: [{ status: 401 }] } },
  },
};

describe('WebDriver, access codes', () => {
  let site: OddSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  const entered = (): number => site?.paths.filter((path) => path === '/saved').length ?? 0;

  it('are entered before the first chat, and kept with the databases of the site', async () => {
    site = await OddSite.start(OPTIONS);
    const first = await site.open();
    expect((await ask(first, 'Hi')).text).toBe('Hello.');
    await first.close();
    expect(entered()).toBe(1);
    expect(site.state).not.toContain('JSON would change');

    const again = await site.open(site.startDriver());
    expect((await ask(again, 'Hi')).text).toBe('Hello.');
    await again.close();
    expect(entered()).toBe(1);
  });

  it('that the site refuses are a lost login, and entered anew once nothing is kept', async () => {
    site = await OddSite.start(OPTIONS);
    await (await site.open()).close();
    site.state = site.state?.replace('"value":"secret"', '"value":"expired"');
    const refused = await site.open(site.startDriver());
    const { error } = await ask(refused, 'Hi');
    expect(error).toBeInstanceOf(LoginRequiredError);
    await refused.close();

    site.state = undefined;
    const healed = await site.open(site.startDriver());
    expect((await ask(healed, 'Hi')).text).toBe('Hello.');
    await healed.close();
    expect(entered()).toBe(2);
  });
});
