import { type ScriptedCall } from '../../support/upstream/scripted-model.js';
import { type AgentFolder } from '../agent-folder.js';

/** A program or a library that works a task off by calling tools. */
export interface TaskClient {
  readonly name: string;
  /** Words by which it asks for a summary, if it does so with its tools. */
  readonly summaryMarker?: string;
  /** Words by which it tells of any failure, if it gives no reasons. */
  readonly failureWords?: RegExp;

  /** Makes it ready to run, once. */
  install(): Promise<void>;

  /** The call that writes a file. */
  write(path: string, content: string): ScriptedCall;

  /** The call that runs a command. */
  shell(command: string): ScriptedCall;

  /** The call that shows the model a picture; missing if it has no such tool. */
  readonly look?: (path: string) => ScriptedCall;

  /**
   * Works a task off without approvals, and returns all that its user saw.
   * @param baseUrl ends in `/v1`
   */
  perform(task: string, folder: AgentFolder, baseUrl: string): Promise<string>;
}

/** A command that writes a file, for clients without a tool for that. */
export function writeCommand(path: string, content: string): string {
  return `printf '%s' ${quoted(content)} > ${quoted(path)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
