import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Subscription } from 'rxjs';
import { LogsService } from '../logs/logs.service.js';
import { isCompletion } from './is-completion.js';

/** Knows how many completions are under way. */
@Injectable()
export class RunningRequests implements OnApplicationShutdown {
  private readonly ids = new Set<string>();
  private readonly subscription: Subscription;

  constructor(logs: LogsService) {
    this.subscription = logs.changes$.subscribe(({ record }) => {
      if (record.kind === 'request' && isCompletion(record)) {
        if (record.outcome === 'pending') {
          this.ids.add(record.id);
        } else {
          this.ids.delete(record.id);
        }
      }
    });
  }

  get count(): number {
    return this.ids.size;
  }

  onApplicationShutdown(): void {
    this.subscription.unsubscribe();
  }
}
