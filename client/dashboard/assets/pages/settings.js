import { getVersioned, send, takesKey } from '../data/api.js';
import { plural } from '../data/format.js';
import { storedKey, useKey } from '../data/key/key-store.js';
import { changesBetween, groupSettings } from '../data/setting-values.js';
import { confirmAction } from '../widgets/kit/confirm.js';
import { byId, fill, h } from '../widgets/kit/dom.js';
import { SettingChanges } from '../widgets/settings/setting-changes.js';
import { SettingField } from '../widgets/settings/setting-field.js';
import { errorState, loadingState, startShell } from '../widgets/shell/shell.js';

const PATH = '/dashboard/api/settings';

/** @type {Map<string, SettingField>} */
let fields = new Map();
/** Settings with which the form was filled. */
let shown = [];
let version;
const latest = new SettingChanges(putBack);

async function load(kept = {}) {
  try {
    const { body, etag } = await getVersioned(PATH);
    show(body.settings, etag ?? `"${body.version}"`);
    restore(kept);
  } catch (error) {
    fill(
      byId('groups'),
      errorState(error, () => void load(kept)),
    );
  }
}

function show(settings, etag) {
  version = etag;
  shown = settings;
  const focused = document.activeElement?.id ?? '';
  fields = new Map(settings.map((setting) => [setting.name, new SettingField(setting, showChanges)]));
  const groups = groupSettings(settings);
  fill(
    byId('groups'),
    groups.map(({ title, settings: group }) => groupPanel(title, group)),
  );
  fill(
    byId('sections'),
    groups.map(({ title }) => h('a', { href: `#${idOf(title)}` }, title)),
  );
  showPending(settings.filter(({ pending }) => pending));
  showChanges();
  find();
  latest.show(settings);
  document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Fills in a former value of a setting, to be saved like any other change. */
function putBack(name, value) {
  const field = fields.get(name);
  showAll();
  field.restore(value);
  showChanges();
  field.element.scrollIntoView({ block: 'center' });
  byId('save').focus({ preventScroll: true });
}

function idOf(title) {
  return `group-${title.toLowerCase().replaceAll(' ', '-')}`;
}

function groupPanel(title, settings) {
  const id = idOf(title);
  return h(
    'section',
    { class: 'panel group', 'aria-labelledby': id },
    h('h2', { id }, title),
    settings.map(({ name }) => fields.get(name).element),
  );
}

function showPending(pending) {
  fill(
    byId('pending'),
    pending.length > 0 &&
      h(
        'div',
        { class: 'notice warn', role: 'status' },
        h('strong', null, 'Restart the gateway to apply:'),
        h('span', { class: 'mono' }, pending.map(({ name }) => name).join(', ')),
      ),
  );
}

/** Changes to save, by name. */
function changes() {
  const all = [...fields.values()].map((field) => [field.name, field.change]);
  return Object.fromEntries(all.filter(([, change]) => change !== undefined));
}

function showChanges() {
  const names = Object.keys(changes());
  byId('save-bar').hidden = names.length === 0;
  byId('changes').textContent = `${plural(names.length, 'change')} not saved: ${names.join(', ')}`;
}

function restore(kept) {
  for (const [name, change] of Object.entries(kept)) {
    fields.get(name)?.restore(change);
  }
  showChanges();
}

async function save() {
  const values = changes();
  if (Object.keys(values).length === 0 || !(await isMeant(values))) {
    return;
  }
  byId('save').disabled = true;
  try {
    const { body, etag } = await send('PATCH', PATH, { values }, { 'If-Match': version });
    if (values.API_KEY !== undefined) {
      await followKey(values.API_KEY);
    }
    const later = Object.entries(changes()).filter(([name, change]) => change !== values[name]);
    fill(byId('conflict'));
    show(body.settings, etag ?? `"${body.version}"`);
    restore(Object.fromEntries(later));
    byId('summary').textContent = `Saved ${Object.keys(values).join(', ')}.`;
  } catch (error) {
    await showFailure(error, values);
  } finally {
    byId('save').disabled = false;
  }
}

/** Takes the new key where the one in use is no longer taken: an operator may have a key of their own. */
async function followKey(key) {
  if ((key === null && (await takesKey(null))) || !(await takesKey(storedKey()))) {
    useKey(key ?? '');
  }
}

/** Asks before the key is removed: everyone who reaches the gateway could then use it. */
function isMeant({ API_KEY }) {
  if (API_KEY !== null) {
    return true;
  }
  return confirmAction({
    title: 'Go back to no API key?',
    text: 'Without a key anybody who reaches the gateway can use it and this dashboard.',
    action: 'Remove the key',
  });
}

async function showFailure(error, values) {
  if (error.status === 412) {
    await showConflict(values);
    return;
  }
  const name = /^values\.(\w+)/.exec(error.param ?? '')?.[1];
  const field = fields.get(name);
  byId('summary').textContent = '';
  fill(byId('conflict'));
  if (field) {
    showAll();
    field.showProblem(error.message);
    field.focus();
  } else {
    showNotice('notice bad', error.message);
  }
}

/** Shows what came of saving, and leads there: it may be far above. */
function showNotice(className, ...content) {
  fill(byId('conflict'), h('div', { class: className, role: 'alert', tabindex: '-1' }, content));
  byId('conflict').firstElementChild.focus();
}

/** Shows the settings saved elsewhere in between, and offers to keep or drop the own changes. */
async function showConflict(mine) {
  let theirs = [];
  try {
    const { body } = await getVersioned(PATH);
    theirs = changesBetween(shown, body.settings);
  } catch {
    // The notice is worth showing without the list.
  }
  const both = theirs.filter(({ name }) => name in mine).map(({ name }) => name);
  const reload = h('button', { type: 'button', class: 'primary' }, 'Reload and keep my changes');
  const drop = h('button', { type: 'button' }, 'Reload and drop my changes');
  reload.addEventListener('click', () => settle(changes()));
  drop.addEventListener('click', () => settle({}));
  showNotice(
    'notice bad conflict',
    h('strong', null, 'Not saved: the settings were changed elsewhere in the meantime.'),
    theirs.length > 0 &&
      h(
        'ul',
        null,
        theirs.map(({ name, before, after }) =>
          h('li', null, h('span', { class: 'mono' }, name), `: ${before} → ${after}`),
        ),
      ),
    both.length > 0 &&
      h('p', null, `You changed ${both.join(', ')} too; keeping your changes would replace that.`),
    h('div', { class: 'box-tools' }, reload, drop),
  );
}

async function settle(kept) {
  fill(byId('conflict'));
  await load(kept);
}

/** Shows all settings again. */
function showAll() {
  byId('find').value = '';
  byId('only-set').checked = false;
  find();
}

/** Hides the settings that do not contain the searched text, or have their default where others are wanted. */
function find() {
  const wanted = byId('find').value.trim().toLowerCase();
  for (const { name, about } of shown) {
    const isHit = `${name} ${name.replaceAll('_', ' ')} ${about}`.toLowerCase().includes(wanted);
    const field = fields.get(name);
    field.element.hidden = !isHit || (byId('only-set').checked && !field.isSet);
  }
  for (const group of document.querySelectorAll('.group')) {
    group.hidden = group.querySelector('.setting:not([hidden])') === null;
    const { id } = group.firstElementChild;
    byId('sections').querySelector(`[href="#${id}"]`).hidden = group.hidden;
  }
  byId('nothing').hidden = document.querySelector('.group:not([hidden])') !== null;
}

startShell();
byId('latest').append(latest.element);
fill(byId('groups'), loadingState(8));
byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void save();
});
byId('discard').addEventListener('click', () => {
  fields.forEach((field) => field.discard());
  showChanges();
});
byId('find').addEventListener('input', find);
byId('only-set').addEventListener('change', find);
window.addEventListener('beforeunload', (event) => {
  if (Object.keys(changes()).length > 0) {
    event.preventDefault();
  }
});
void load();
