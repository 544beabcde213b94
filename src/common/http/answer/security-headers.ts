import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

const OPTIONS: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  frameguard: { action: 'deny' },
  // The gateway speaks plain HTTP; only the proxy that adds TLS can promise it.
  strictTransportSecurity: false,
};

/**
 * The headers of every response, errors and raw socket answers included. helmet computes them once at load, since they
 * are the same for every request.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = computeHeaders();

function computeHeaders(): (readonly [string, string])[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(OPTIONS)(response.req, response, (error?: unknown) => {
    if (error !== undefined) {
      throw new Error('helmet refused its options', { cause: error });
    }
  });
  // Answers depend on the key and on the moment; the file server allows caching on its own responses.
  response.setHeader('Cache-Control', 'no-store');
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))] as const);
}
