import { type Observable, tap } from 'rxjs';
import { secretsOf } from '../../upstream/credential-secrets.js';
import {
  type SendContext,
  type UpstreamBatch,
  type UpstreamRequest,
  UpstreamSession,
} from '../../upstream/upstream-driver.js';
import { type Lease } from '../pool/lease.js';

/** Recording of one attempt. */
export interface RecordedAttempt {
  /** Name of the account; missing if no session could be opened. */
  readonly account?: string;
  /** Every read with its time in milliseconds since the request began. */
  readonly batches: (readonly [number, UpstreamBatch])[];
  /** Why it failed; undefined if it did not, or was given up. */
  error?: unknown;
}

/** Recording of one dispatch, attempt by attempt. */
export class DispatchRecording {
  readonly attempts: RecordedAttempt[] = [];
  /** Secrets of the accounts, to be redacted wherever they occur. */
  readonly secrets: string[] = [];
  /** Why no attempt was made, or none any more. */
  refusal?: unknown;
  private present: RecordedAttempt | undefined;

  /** @param onRead told how many characters of the answer each read brought */
  constructor(private readonly onRead: (characters: number) => void) {}

  /** A session that records the outcome of a prompt. */
  follow({ account, session }: Lease, elapsedMs: () => number): UpstreamSession {
    const attempt: RecordedAttempt = { account: account.name, batches: [] };
    this.secrets.push(...secretsOf(account.credentials));
    this.attempts.push(attempt);
    this.present = attempt;
    return new FollowedSession(session, (batch) => {
      attempt.batches.push([elapsedMs(), batch]);
      this.onRead(charactersOf(batch));
    });
  }

  openingFailed(error: unknown): void {
    this.attempts.push({ batches: [], error });
  }

  /** The present attempt failed. */
  attemptFailed(error: unknown): void {
    if (this.present) {
      this.present.error = error;
    }
  }
}

/** A session with a witness. */
class FollowedSession extends UpstreamSession {
  constructor(
    private readonly session: UpstreamSession,
    private readonly note: (batch: UpstreamBatch) => void,
  ) {
    super();
  }

  get isUsable(): boolean {
    return this.session.isUsable;
  }

  send(request: UpstreamRequest, context: SendContext): Observable<UpstreamBatch> {
    return this.session.send(request, context).pipe(tap(this.note));
  }

  close(): Promise<void> {
    return this.session.close();
  }
}

function charactersOf(batch: UpstreamBatch): number {
  let characters = 0;
  // An index loop, since this runs once a read.
  for (let index = 0; index < batch.length; index++) {
    const event = batch[index];
    if (event?.type === 'text' || event?.type === 'reasoning' || event?.type === 'refusal') {
      characters += event.text.length;
    } else if (event?.type === 'toolCall') {
      characters += event.delta.arguments.length;
    }
  }
  return characters;
}
