import { createHash } from 'node:crypto';
import { DispatchRecording } from '../../accounts/dispatch/dispatch-recording.js';
import { type Settings } from '../../common/config/settings.js';
import { type UpstreamRecording } from '../../logs/records/upstream-recording.js';
import { type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type CallerTraits } from '../caller.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { type CompletionEnding, toDecisions } from './decisions.js';
import {
  type Circumstances,
  decidingSettings,
  newRecording,
  toRecordedDispatch,
} from './recorded-completion.js';

/** Most characters of answers that one recording holds; a longer one is given up. */
const MAX_CHARACTERS = 8 * 2 ** 20;
const DIGEST_CHARS = 16;

/** Notes what the upstream sends for one completion, to be run again. */
export class CompletionRecording {
  private readonly dispatches: DispatchRecording[] = [];
  private readonly asked: UpstreamRequest[] = [];
  private circumstances: Circumstances = {};
  private characters = 0;

  constructor(
    private readonly request: CompletionRequest,
    private readonly caller: Pick<CallerTraits, 'client' | 'habits' | 'wantsCompression'>,
  ) {}

  /** Adds to what decisions depend on. */
  note(circumstances: Circumstances): void {
    this.circumstances = { ...this.circumstances, ...circumstances };
  }

  /** The prompt goes upstream once more. */
  dispatched(request: UpstreamRequest): DispatchRecording {
    const recording = new DispatchRecording(this.onRead);
    this.dispatches.push(recording);
    this.asked.push(request);
    return recording;
  }

  /** Digests of the prompts so far. Costs 2 ns a character. */
  promptDigests(): string[] {
    return this.asked.map(promptDigest);
  }

  /** Undefined if the answers were too long. */
  finish(settings: Settings, ending: Omit<CompletionEnding, 'prompts'>): UpstreamRecording | undefined {
    if (this.characters > MAX_CHARACTERS) {
      return undefined;
    }
    const { client, habits, wantsCompression } = this.caller;
    const recording = newRecording({
      request: this.request,
      caller: { client, habits, wantsCompression },
      settings: decidingSettings(settings),
      circumstances: this.circumstances,
      dispatches: this.dispatches.map(toRecordedDispatch),
      decisions: toDecisions({ ...ending, prompts: this.promptDigests() }),
    });
    const secrets = [...new Set(this.dispatches.flatMap((dispatch) => dispatch.secrets))];
    return { json: JSON.stringify(recording), secrets };
  }

  private readonly onRead = (characters: number): void => {
    this.characters += characters;
  };
}

/** Tells prompts apart: conversation, contract of the tools and correction included. */
function promptDigest({ prompt, tools }: UpstreamRequest): string {
  const text = JSON.stringify([prompt.messages, tools]);
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS);
}
