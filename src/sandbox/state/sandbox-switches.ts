import { type Script } from '../model/sandbox-script.js';

interface Switch {
  readonly script: Script;
  /** Undefined stands for every account. */
  readonly account: string | undefined;
  promptsLeft: number;
}

/** Scripts that apply to prompts which carry no marker of their own for the same thing. */
export class SandboxSwitches {
  private switches: Switch[] = [];

  /** For one account or (undefined) for all, for the next prompts or (`Infinity`) until cleared. */
  set(script: Script, account: string | undefined, prompts: number): void {
    this.switches.push({ script, account, promptsLeft: prompts });
  }

  /** Of one account, or (undefined) all there are. */
  clear(account: string | undefined): void {
    this.switches = account === undefined ? [] : this.switches.filter((entry) => entry.account !== account);
  }

  /** The script for an account's next prompt; counts it. The latest switch wins. */
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
