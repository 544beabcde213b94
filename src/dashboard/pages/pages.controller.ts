import { basename } from 'node:path/posix';
import { Controller, Get, Next, NotFoundException, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Public } from '../../common/http/access/public.decorator.js';
import { PAGES_AT } from './client-files.js';
import { CompressedAssets } from './compressed-assets.js';

/** The dashboard's pages. Public, since they hold no data: their scripts ask for the key and read `/dashboard/api/`. */
@Public()
@Controller('dashboard')
export class PagesController {
  constructor(private readonly assets: CompressedAssets) {}

  @Get(['', 'logs', 'chat', 'accounts', 'network', 'keys', 'settings'])
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    // Routes take any case.
    const name = basename(request.path).toLowerCase();
    const file = name === 'dashboard' ? 'overview' : name;
    if (!(await this.assets.send(request, response, `${PAGES_AT}/${file}.html`))) {
      throw new NotFoundException();
    }
  }

  /** What is neither a script nor a style is served by `ServeStaticModule` behind the routes. */
  @Get('assets/*path')
  async asset(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): Promise<void> {
    if (!(await this.assets.send(request, response))) {
      next();
    }
  }
}
