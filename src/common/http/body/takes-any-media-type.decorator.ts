import { SetMetadata } from '@nestjs/common';

export const TAKES_ANY_MEDIA_TYPE = 'gateway:takesAnyMediaType';

/** Bodies for a controller's routes are JSON whatever their `Content-Type` says, unless a web page sends them. */
export const TakesAnyMediaType = (): ClassDecorator => SetMetadata(TAKES_ANY_MEDIA_TYPE, true);
