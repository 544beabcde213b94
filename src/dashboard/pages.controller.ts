import { join } from 'node:path';
import { Controller, Get, Next, Res } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import { projectFolder } from '../common/files/project-folder.js';
import { Public } from '../common/http/access/public.decorator.js';

const FOLDER = join(projectFolder(), 'client', 'dashboard', 'pages');

/** The dashboard's pages. They hold no data: their scripts ask for the key and read `/dashboard/api/`. */
@Public()
@Controller('dashboard')
export class PagesController {
  @Get()
  overview(@Res() response: Response): void {
    sendPage(response, 'overview.html');
  }

  @Get('logs')
  logs(@Res() response: Response): void {
    sendPage(response, 'logs.html');
  }

  @Get('accounts')
  accounts(@Res() response: Response): void {
    sendPage(response, 'accounts.html');
  }

  @Get('network')
  network(@Res() response: Response): void {
    sendPage(response, 'network.html');
  }

  @Get('settings')
  settings(@Res() response: Response): void {
    sendPage(response, 'settings.html');
  }

  /** The files come from `ServeStaticModule`, behind the routes; this one says that the path is public and GET only. */
  @Get('assets/*path')
  asset(@Next() next: NextFunction): void {
    next();
  }
}

function sendPage(response: Response, name: string): void {
  // Asked about each time, so that pages and scripts of two versions never meet.
  response.setHeader('Cache-Control', 'no-cache');
  response.sendFile(name, { root: FOLDER });
}
