import { type Script } from '../model/sandbox-script.js';

interface Switch {
  readonly script: Script;
  /** Account name; undefined means every account. */
  readonly account: string | undefined;
  promptsLeft: number;
}

/** Scripts set from outside the conversation. Markers in a prompt win over them. */
export class SandboxSwitches {
  private switches: Switch[] = [];

  /**
   * @param account undefined means every account
   * @param prompts number of prompts; `Infinity` means until cleared
   */
  set(script: Script, account: string | undefined, prompts: number): void {
    this.switches.push({ script, account, promptsLeft: prompts });
  }

  /** Clears the switches of an account; undefined clears all. */
  clear(account: string | undefined): void {
    this.switches = account === undefined ? [] : this.switches.filter((entry) => entry.account !== account);
  }

  /** Takes the script of an account's next prompt and counts the prompt. The latest switch wins. */
  take(account: string): Script {
    let script: Script = {};
    for (const entry of this.switches) {
      if (entry.account === undefined || entry.account === account) {
        entry.promptsLeft--;
        script = { ...script, ...entry.script };
      }
    }
    this.switches = this.switches.filter((entry) => entry.promptsLeft > 0);
    return script;
  }
}
