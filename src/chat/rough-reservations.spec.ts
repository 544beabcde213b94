import { expect, it } from '@jest/globals';
import { TokenDay } from '../keys/limits/token-day.js';
import { Tokenizer } from './completion/tokens/tokenizer.js';
import { RoughReservations } from './rough-reservations.js';

it('reduces what is still set aside by a bound, once, and only of the key', async () => {
  const day = new TokenDay(0);
  const rough = new RoughReservations(new Tokenizer());
  const hold = (key: string) => {
    const reservation = day.reserve(19, 1000, 0);
    return { reservation, drop: rough.add(key, { input: 'Say hello.', answerTokens: 9, reservation }) };
  };
  const settled = hold('a');
  hold('a');
  const open = hold('a');
  hold('b');
  settled.drop();
  settled.reservation?.settle(5, 0);
  // Who comes meanwhile waits for the same counting.
  await Promise.all([rough.refine('a'), rough.refine('a')]);
  expect(day.taken(0)).toEqual({ used: 5, reserved: 12 + 12 + 19 });
  await rough.refine('a');
  open.reservation?.settle(7, 0);
  open.reservation?.reduceTo(1);
  expect(day.taken(0)).toEqual({ used: 12, reserved: 12 + 19 });
});
