import { LiveHub } from './live-hub.js';

/* The shared worker: one for all tabs of a browser, ended by it with the last of them. */
const hub = new LiveHub();
globalThis.onconnect = ({ ports: [port] }) => hub.join(port);
