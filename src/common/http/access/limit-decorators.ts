import { SetMetadata } from '@nestjs/common';
import { type LimitFormat } from './limit-format.js';

/** Metadata key of `@TellsLimitsAs()`. */
export const LIMIT_FORMAT = 'gateway:limitFormat';

/** Format of a key's remaining limits on a controller's routes, in refusals, too. */
export const TellsLimitsAs = (format: LimitFormat): ClassDecorator => SetMetadata(LIMIT_FORMAT, format);

/** Metadata key of `@NotCounted()`. */
export const IS_NOT_COUNTED = 'gateway:isNotCounted';

/** Keeps the requests of a POST route out of the limits of keys, since they end what is counted. */
export const NotCounted = (): MethodDecorator => SetMetadata(IS_NOT_COUNTED, true);
