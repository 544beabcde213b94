import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type HandOverEnd } from '../../accounts/hand-over/hand-over.js';
import { HEARTBEAT, PRIVATE_EVENT_STREAM_HEADERS, sseData } from '../../common/http/answer/event-stream.js';
import { type PageFrame, type PageVisitor } from '../../common/live-page/page-visitor.js';

/** Events of the operator's page. */
type HandOverEvent =
  | { readonly type: 'begun'; readonly handOver: string }
  | ({ readonly type: 'frame' } & PageFrame)
  | { readonly type: 'handed_over' }
  | ({ readonly type: 'ended' } & HandOverEnd);

/** Shows a login by hand to the operator as server-sent events. A picture is done with once the connection has taken it. */
export class HandOverStream implements PageVisitor {
  private readonly control = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(private readonly response: ServerResponse) {
    response.once('close', () => this.leave());
  }

  /** Aborted when the operator's page is gone. */
  get left(): AbortSignal {
    return this.control.signal;
  }

  /** @param mayLook asked with each heartbeat: a key may have expired, or be another one in the settings */
  begin(handOver: string, heartbeatMs: number, mayLook: () => boolean): void {
    this.response.writeHead(200, PRIVATE_EVENT_STREAM_HEADERS);
    this.heartbeat = setInterval(
      () => (mayLook() ? this.response.write(HEARTBEAT) : this.leave()),
      heartbeatMs,
    );
    this.tell({ type: 'begun', handOver });
  }

  async show(frame: PageFrame): Promise<void> {
    if (!this.tell({ type: 'frame', ...frame }) && !this.left.aborted) {
      await once(this.response, 'drain', { signal: this.left });
    }
  }

  handOver(): void {
    this.tell({ type: 'handed_over' });
  }

  end(end: HandOverEnd): void {
    this.tell({ type: 'ended', ...end });
    // A connection that takes nothing keeps the response from closing, and a write after its end is an uncaught error.
    clearInterval(this.heartbeat);
    this.response.end();
  }

  /** Ends the view; the login by hand ends with it. */
  leave(): void {
    clearInterval(this.heartbeat);
    this.control.abort();
  }

  /** Whether the connection takes more at once. */
  private tell(event: HandOverEvent): boolean {
    const isOver = this.left.aborted || this.response.writableEnded;
    return isOver || this.response.write(sseData(JSON.stringify(event)));
  }
}
