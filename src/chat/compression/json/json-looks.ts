import { MIN_ROWS } from '../rows/row-selection.js';
import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';

const ERROR_KEYS = new Set([
  'error',
  'errors',
  'exception',
  'fault',
  'errormessage',
  'error_description',
  'stack',
  'stacktrace',
  'traceback',
]);
const NOTHING = new Set(['null', 'false', '""', '[]', '{}', '0']);

/** Top-level keys that only manifests, lock files, schemas and configurations have. */
const CONFIG_KEYS = new Set([
  ...['dependencies', 'devdependencies', 'peerdependencies', 'packages-dev', 'requires', 'scripts'],
  ...['engines', 'workspaces', 'lockfileversion', 'compileroptions', 'extends', 'openapi', 'swagger'],
  ...['$defs', 'definitions', 'properties', 'patternproperties', 'enum'],
]);

/** Whether a JSON value is the body of an error, of which the model needs every word. */
export function isErrorJson(text: string, node: JsonSpan): boolean {
  if (node.kind !== 'object') {
    return false;
  }
  const errors = errorsIn(text, node);
  // An answer of GraphQL may have both errors and data.
  const hasData = node.items.some(
    (item) => !errors.includes(item) && hasManyRows(item, (node.end - node.start) / 2),
  );
  return (errors.length > 0 && !hasData) || hasErrorStatus(text, node);
}

/** The members of an object that tell of errors. Beside rows, they stay whole as well. */
export function errorsIn(text: string, node: JsonSpan): readonly JsonSpan[] {
  if (node.kind !== 'object') {
    return [];
  }
  return node.items.filter(
    ({ start, end }, index) =>
      ERROR_KEYS.has((node.keys[index] ?? '').toLowerCase()) && !NOTHING.has(text.slice(start, end)),
  );
}

/** Whether an object is an error with a status: `{"status": 502, "message": …}`, problem details (RFC 9457). */
function hasErrorStatus(text: string, node: JsonObjectSpan): boolean {
  const has = (names: readonly string[], test: RegExp): boolean =>
    node.items.some(
      (item, index) =>
        names.includes((node.keys[index] ?? '').toLowerCase()) &&
        test.test(text.slice(item.start, item.start + 40)),
    );
  const isFailure = has(
    ['status', 'statuscode', 'status_code', 'code', 'httpstatus'],
    /^"?([45]\d\d\b|error|fail)/i,
  );
  return isFailure && has(['message', 'detail', 'title', 'msg', 'reason'], /^"./);
}

/** Whether a JSON value is a manifest, a lock file, a schema or a configuration. */
export function isConfigJson(node: JsonSpan): boolean {
  if (node.kind !== 'object') {
    return false;
  }
  const keys = node.keys.map((key) => key.toLowerCase());
  const hits = keys.filter(
    (key, index) => CONFIG_KEYS.has(key) && !isInstalled(key, node.items[index]),
  ).length;
  // The npm registry's description of a package contains its manifest among much else; it has these keys.
  // A report names its schema as well, but has rows.
  const hasSchema = keys.includes('$schema') && !hasManyRows(node);
  return (hits >= 1 || hasSchema) && !keys.includes('dist-tags') && !keys.includes('_id');
}

/** Whether a member tells of what is installed, an object for each, where a manifest has the versions that it asks for. */
function isInstalled(key: string, item: JsonSpan | undefined): boolean {
  return (
    key === 'dependencies' &&
    item?.kind === 'object' &&
    item.items.length > 0 &&
    item.items.every(({ kind }) => kind === 'object')
  );
}

/** Whether objects in one array, at any depth, make up most of a value. */
function hasManyRows(node: JsonSpan, least = (node.end - node.start) / 2): boolean {
  if (node.end - node.start < least || (node.kind !== 'array' && node.kind !== 'object')) {
    return false;
  }
  const areRows =
    node.kind === 'array' &&
    node.items.length >= MIN_ROWS &&
    node.items.every(({ kind }) => kind === 'object');
  return areRows || node.items.some((item) => hasManyRows(item, least));
}
