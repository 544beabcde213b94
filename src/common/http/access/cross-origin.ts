import { type Request } from 'express';
import { type Settings } from '../../config/settings.js';
import { createAllowedOrigin } from './host-origin.middleware.js';

/** Time in seconds for which a browser need not ask again whether it may. */
const MAX_AGE_S = 600;

/** Headers of answers that pages may read: all, which the sign stands for where no cookies are involved. */
const EXPOSED_HEADERS = '*';

/** Options of the package `cors` for one request. */
export interface CorsAnswer {
  /** False for none: browsers then keep the answer from the page. */
  readonly origin: string | false;
  readonly methods?: string[];
  readonly exposedHeaders?: string;
  readonly maxAge?: number;
}

/**
 * Lets the pages of `ALLOWED_ORIGINS` call the API, with their key in a header; no cookies are involved. A browser asks
 * by OPTIONS first, without the key.
 */
export function createCrossOrigin(
  settings: Settings,
): (request: Request, answer: (error: null, options: CorsAnswer) => void) => void {
  const allowedOrigin = createAllowedOrigin(settings);
  return (request, answer) => {
    const origin = allowedOrigin(request);
    answer(
      null,
      origin === undefined
        ? { origin: false }
        : {
            origin,
            methods: ['GET', 'POST', 'DELETE'],
            exposedHeaders: EXPOSED_HEADERS,
            maxAge: MAX_AGE_S,
          },
    );
  };
}
