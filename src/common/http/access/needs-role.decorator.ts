import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import { type KeyRole } from './caller-key.js';

/** Metadata key of `@NeedsRole()`. */
export const NEEDED_ROLE = 'gateway:neededRole';

/**
 * Says who may use a controller or a route; operators may use all. Without it, and without `@Public()`, a route is for
 * operators only, and a test fails.
 */
export const NeedsRole = (role: KeyRole): CustomDecorator => SetMetadata(NEEDED_ROLE, role);
