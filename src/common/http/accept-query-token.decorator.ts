import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const ACCEPTS_QUERY_TOKEN = 'gateway:acceptsQueryToken';

/**
 * Lets a route take the key as `?token=` too: browsers' EventSource cannot set headers.
 *
 * @example
 * \@AcceptQueryToken()
 * \@Get('log/stream')
 */
export const AcceptQueryToken = (): CustomDecorator => SetMetadata(ACCEPTS_QUERY_TOKEN, true);
