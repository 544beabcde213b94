import process from 'node:process';

/*
 * Loaded by `node --import` before the gateway: its wall clock runs CLOCK_SHIFT_MS ahead, and jumps by CLOCK_JUMP_MS at each
 * SIGUSR2, as after a suspension of the machine; the monotonic clock knows nothing of it.
 */
const trueNow = Date.now.bind(Date);
let shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
Date.now = () => trueNow() + shiftMs;
process.on('SIGUSR2', () => (shiftMs += Number(process.env.CLOCK_JUMP_MS ?? 0)));
