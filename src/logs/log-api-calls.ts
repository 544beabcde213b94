import { type INestApplication } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { isApiCall } from './api-call.js';
import { RequestLogMiddleware } from './request-log.middleware.js';

/** Has calls to the API logged, whatever refuses them: called before any other middleware is added. */
export function logApiCalls(app: INestApplication): void {
  const requestLog = app.get(RequestLogMiddleware);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (isApiCall(request.path)) {
      requestLog.use(request, response, next);
    } else {
      next();
    }
  });
}
