import { type JsonObject } from '../../common/text/json-object.js';

/** What a provider taught its models of a tool, for a model that was not taught. */
interface PredefinedTool {
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Type of a tool: its family, and the date of its version. */
const TYPE = /^([a-z_]+)_(\d{8})$/;

const text = (description: string): JsonObject => ({ type: 'string', description });
const lineNumber = (description: string): JsonObject => ({ type: 'integer', description });
const oneOf = (...values: string[]): JsonObject => ({ type: 'string', enum: values });

const VIEW_RANGE = {
  type: 'array',
  items: { type: 'integer' },
  description: 'view: first and last line to show of a file, from 1; -1 is its end.',
};

const FILE_FIELDS = {
  file_text: text('create: content of the file.'),
  old_str: text('str_replace: text to replace, exactly as it stands there, and only once.'),
  new_str: text('str_replace: text in its place; nothing by default.'),
  insert_line: lineNumber('insert: number of the line behind which to insert; 0 is the beginning.'),
};

const INSERT_TEXT = { insert_text: text('insert: text to insert.') };

const BASH: PredefinedTool = {
  description:
    'Runs a command in a bash shell, which keeps its state from call to call. Needs command, unless restart is true.',
  parameters: {
    type: 'object',
    properties: {
      command: text('The command to run.'),
      restart: { type: 'boolean', description: 'Whether to start the shell anew instead.' },
    },
  },
};

/** From this version on the text to insert has a member of its own, as has the memory. */
const INSERT_TEXT_SINCE = '20250728';
/** Up to this version an edit can be undone. */
const UNDO_UNTIL = '20250124';

function textEditor(version: string): PredefinedTool {
  const hasInsertText = version >= INSERT_TEXT_SINCE;
  const { new_str: replacement, ...fields } = FILE_FIELDS;
  return {
    description:
      'Shows, creates and edits text files; view of a folder lists it. Each command needs path and the members named for it.',
    parameters: {
      type: 'object',
      properties: {
        command: oneOf(
          ...['view', 'create', 'str_replace', 'insert'],
          ...(version <= UNDO_UNTIL ? ['undo_edit'] : []),
        ),
        path: text('Absolute path of the file or folder.'),
        ...fields,
        ...(hasInsertText
          ? { new_str: replacement, ...INSERT_TEXT }
          : { new_str: text('str_replace: text in place of old_str; insert: text to insert.') }),
        view_range: VIEW_RANGE,
      },
      required: ['command', 'path'],
    },
  };
}

const MEMORY: PredefinedTool = {
  description:
    'Keeps notes in files below /memories, from one conversation to the next: look there before a task, and write down what will be needed. Each command needs path and the members named for it; rename needs old_path and new_path instead.',
  parameters: {
    type: 'object',
    properties: {
      command: oneOf('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      path: text('Path of the file or folder, such as /memories/notes.md.'),
      ...FILE_FIELDS,
      ...INSERT_TEXT,
      old_path: text('rename: path so far.'),
      new_path: text('rename: path from then on.'),
      view_range: VIEW_RANGE,
    },
    required: ['command'],
  },
};

const FAMILIES: ReadonlyMap<string, (version: string) => PredefinedTool> = new Map([
  ['bash', () => BASH],
  ['text_editor', textEditor],
  ['memory', () => MEMORY],
]);

/**
 * A tool that its caller runs, and whose schema only the models of a provider know. Undefined for a tool that a provider
 * runs itself, and for one that shows a screen, which takes a model that was trained for it.
 */
export function predefinedTool(type: string): PredefinedTool | undefined {
  const [, family, version = ''] = TYPE.exec(type) ?? [];
  return FAMILIES.get(family ?? '')?.(version);
}
