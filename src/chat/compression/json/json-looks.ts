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

/** Keys that only manifests, lock files and configurations have at their top. */
const CONFIG_KEYS = new Set([
  ...['dependencies', 'devdependencies', 'peerdependencies', 'packages-dev', 'requires', 'scripts'],
  ...['engines', 'workspaces', 'lockfileversion', 'compileroptions', 'extends', 'openapi', 'swagger'],
  ...['$schema', '$defs', 'definitions', 'properties', 'patternproperties', 'enum'],
]);

/** Whether a JSON value is the body of an error: it says what went wrong, and every word of it may matter. */
export function isErrorJson(text: string, node: JsonSpan): boolean {
  if (node.kind !== 'object') {
    return false;
  }
  const says = node.items.some(
    (item, index) =>
      ERROR_KEYS.has((node.keys[index] ?? '').toLowerCase()) &&
      !NOTHING.has(text.slice(item.start, item.end)),
  );
  return says || hasErrorStatus(text, node);
}

/** `{"status": 502, "message": …}` and problem details (RFC 9457). */
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

/** Whether a JSON value reads like a manifest, a lock file or a configuration. */
export function isConfigJson(node: JsonSpan): boolean {
  if (node.kind !== 'object') {
    return false;
  }
  const keys = node.keys.map((key) => key.toLowerCase());
  const hits = keys.filter((key) => CONFIG_KEYS.has(key)).length;
  // The registry's answer about a package carries its manifest among much else.
  return hits >= 1 && !keys.includes('dist-tags') && !keys.includes('_id');
}
