import { SetMetadata } from '@nestjs/common';
import { type RequestOperation } from './records/request-log-entry.js';

export const LOGGED_AS = 'logged-as';

/**
 * Says what a route does. Completions are counted in metrics, the overview and the number of running completions,
 * refused ones included.
 */
export const LoggedAs = (operation: RequestOperation): MethodDecorator => SetMetadata(LOGGED_AS, operation);
