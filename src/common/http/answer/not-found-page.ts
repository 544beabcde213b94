import { type IncomingMessage } from 'node:http';

/** Whether a person waits for the answer in a browser. */
export function wantsPage({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

/** The page at a path without a route; the same with and without the key, and free of anything sent. */
export const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Nothing here · Chat Completion Gateway</title>
    <link rel="icon" href="/dashboard/assets/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/dashboard/assets/styles/base.css" />
    <link rel="stylesheet" href="/dashboard/assets/styles/components.css" />
  </head>
  <body>
    <main>
      <div class="state">
        <h1>There is nothing for a browser at this address</h1>
        <p>Programs use the addresses below <code>/v1</code>.</p>
        <p><a href="/dashboard">Open the dashboard</a></p>
      </div>
    </main>
  </body>
</html>
`;
