import { type JsonObject } from '../../common/text/json-object.js';
import { type BuiltInKind } from '../dto/built-in-tools.js';

/**
 * The members in which the item of a call says what to do, made of the function's arguments. They are whole whatever the
 * model has left out, since libraries read them without a look.
 */
export function builtInMembers(kind: BuiltInKind, given: JsonObject): JsonObject {
  const timeoutMs = typeof given.timeout_ms === 'number' ? given.timeout_ms : null;
  switch (kind) {
    case 'apply_patch':
      return { operation: toOperation(given) };
    case 'local_shell': {
      const { command, working_directory: folder } = given;
      const program = typeof command === 'string' ? ['bash', '-lc', command] : toTexts(command);
      // The AI SDK refuses null for what is optional here.
      const place = {
        ...(typeof folder === 'string' && { working_directory: folder }),
        ...(timeoutMs !== null && { timeout_ms: timeoutMs }),
      };
      return { action: { type: 'exec', command: program, env: {}, ...place } };
    }
    case 'shell': {
      const { commands } = given;
      const list = typeof commands === 'string' ? [commands] : toTexts(commands);
      return {
        action: { commands: list, max_output_length: null, timeout_ms: timeoutMs },
        environment: { type: 'local' },
      };
    }
  }
}

function toOperation({ type, path, diff }: JsonObject): JsonObject {
  const what = { type: typeof type === 'string' ? type : 'update_file', path: toText(path) };
  return type === 'delete_file' ? what : { ...what, diff: toText(diff) };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
