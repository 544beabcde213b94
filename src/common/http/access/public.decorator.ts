import { type CustomDecorator, SetMetadata } from '@nestjs/common';

/** Metadata key of `@Public()`. */
export const IS_PUBLIC = 'gateway:isPublic';

/**
 * Opens a controller or a route to callers without a key; for pages that carry no data.
 *
 * @example
 * \@Public()
 * \@Get('dashboard')
 */
export const Public = (): CustomDecorator => SetMetadata(IS_PUBLIC, true);
