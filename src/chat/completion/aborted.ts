import { Observable } from 'rxjs';

/** Emits once when the signal is aborted, at once if it already is. */
export function aborted(signal: AbortSignal): Observable<void> {
  return new Observable((subscriber) => {
    const emit = (): void => {
      subscriber.next();
      subscriber.complete();
    };
    if (signal.aborted) {
      emit();
      return undefined;
    }
    signal.addEventListener('abort', emit, { once: true });
    return () => signal.removeEventListener('abort', emit);
  });
}
