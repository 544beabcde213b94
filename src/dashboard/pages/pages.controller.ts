import { join } from 'node:path';
import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { projectFolder } from '../../common/files/project-folder.js';
import { Public } from '../../common/http/access/public.decorator.js';
import { CompressedAssets } from './compressed-assets.js';

const FOLDER = join(projectFolder(), 'client', 'dashboard', 'pages');

/** The dashboard's pages. Public, since they hold no data: their scripts ask for the key and read `/dashboard/api/`. */
@Public()
@Controller('dashboard')
export class PagesController {
  constructor(private readonly assets: CompressedAssets) {}

  @Get()
  overview(@Res() response: Response): void {
    sendPage(response, 'overview.html');
  }

  @Get('logs')
  logs(@Res() response: Response): void {
    sendPage(response, 'logs.html');
  }

  @Get('chat')
  chat(@Res() response: Response): void {
    sendPage(response, 'chat.html');
  }

  @Get('accounts')
  accounts(@Res() response: Response): void {
    sendPage(response, 'accounts.html');
  }

  @Get('network')
  network(@Res() response: Response): void {
    sendPage(response, 'network.html');
  }

  @Get('keys')
  keys(@Res() response: Response): void {
    sendPage(response, 'keys.html');
  }

  @Get('settings')
  settings(@Res() response: Response): void {
    sendPage(response, 'settings.html');
  }

  /** What is not compressed is served by `ServeStaticModule` behind the routes. */
  @Get('assets/*path')
  async asset(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): Promise<void> {
    if (!(await this.assets.send(request, response))) {
      next();
    }
  }
}

function sendPage(response: Response, name: string): void {
  // Revalidated each time, so that a page never runs with scripts of another version.
  response.setHeader('Cache-Control', 'no-cache');
  response.sendFile(name, { root: FOLDER });
}
