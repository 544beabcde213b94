import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/** Built-in tools that the caller runs, by their types; calls of them are items of their own. */
export type BuiltInKind = 'apply_patch' | 'local_shell' | 'shell';

const text = (description: string): JsonObject => ({ type: 'string', description });
const texts = (description: string): JsonObject => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const TIMEOUT = { type: 'integer', description: 'Milliseconds after which to end it.' };

/** What a provider taught its models of these tools, for a model that was not taught; flat, for weak ones. */
const FIELDS: Readonly<Record<BuiltInKind, JsonObject>> = {
  apply_patch: {
    description: 'Creates, updates or deletes one file.',
    parameters: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('Path of the file.'),
        diff: text(
          'create_file: the lines of the file, each behind a +. update_file: for each place a line @@, then lines that stay, each behind a space, those to remove, behind a -, and those to add, behind a +.',
        ),
      },
      required: ['type', 'path'],
    },
  },
  local_shell: {
    description: 'Runs a program and shows what it writes.',
    parameters: {
      type: 'object',
      properties: {
        command: texts('The program and its arguments, such as ["bash", "-lc", "ls -l"].'),
        working_directory: text('Folder to run it in.'),
        timeout_ms: TIMEOUT,
      },
      required: ['command'],
    },
  },
  shell: {
    description: 'Runs commands in a shell and shows what they write.',
    parameters: {
      type: 'object',
      properties: { commands: texts('The commands, such as ["ls -l"].'), timeout_ms: TIMEOUT },
      required: ['commands'],
    },
  },
};

/** Fields of the function that stands for a tool; undefined for one that a provider runs, as a shell in its container. */
export function builtInFields(kind: BuiltInKind, { environment }: JsonObject): JsonObject | undefined {
  const isElsewhere = isJsonObject(environment) && environment.type !== 'local';
  return isElsewhere ? undefined : { ...FIELDS[kind], name: kind };
}
