// The gateway of a benchmark as a process of its own, so that its processor time is told from that of the site and the
// caller. Takes the arguments of `startWebGateway` as one message, answers with its origin, and ends with its parent.
import { once } from 'node:events';
import { startWebGateway } from '../kit/sandbox-gateway.mjs';

const [options] = await once(process, 'message');
const { origin, close } = await startWebGateway(...options);
process.send({ origin });
await once(process, 'disconnect');
await close();
