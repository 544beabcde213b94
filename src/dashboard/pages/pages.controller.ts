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

  @Get()
  overview(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('overview', request, response);
  }

  @Get('logs')
  logs(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('logs', request, response);
  }

  @Get('chat')
  chat(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('chat', request, response);
  }

  @Get('accounts')
  accounts(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('accounts', request, response);
  }

  @Get('network')
  network(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('network', request, response);
  }

  @Get('keys')
  keys(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('keys', request, response);
  }

  @Get('own')
  own(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('own', request, response);
  }

  @Get('settings')
  settings(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page('settings', request, response);
  }

  /** What is neither a script nor a style is served by `ServeStaticModule` behind the routes. */
  @Get('assets/*path')
  async asset(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): Promise<void> {
    if (!(await this.assets.send(request, response))) {
      next();
    }
  }

  private async page(name: string, request: Request, response: Response): Promise<void> {
    if (!(await this.assets.send(request, response, `${PAGES_AT}/${name}.html`))) {
      throw new NotFoundException();
    }
  }
}
