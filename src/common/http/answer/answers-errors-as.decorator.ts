import { SetMetadata } from '@nestjs/common';
import { type ErrorFormat } from '../../errors/error-format.js';

export const ERROR_FORMAT = 'gateway:errorFormat';

/** Errors of a controller's routes go out in this format, those before the route is reached included. */
export const AnswersErrorsAs = (format: ErrorFormat): ClassDecorator => SetMetadata(ERROR_FORMAT, format);
