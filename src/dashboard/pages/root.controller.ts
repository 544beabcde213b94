import { Controller, Get, Header, NotFoundException, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Public } from '../../common/http/access/public.decorator.js';
import { wantsPage } from '../../common/http/answer/not-found-page.js';

/** Leads people who open the gateway's address to the dashboard. For programs there is nothing at it. */
@Public()
@Controller()
export class RootController {
  @Get()
  @Header('Vary', 'Accept')
  open(@Req() request: Request, @Res() response: Response): void {
    if (!wantsPage(request)) {
      throw new NotFoundException();
    }
    response.redirect(302, '/dashboard');
  }

  /** Browsers ask for it wherever a page names no icon, such as at JSON. */
  @Get('favicon.ico')
  icon(@Res() response: Response): void {
    response.redirect(301, '/dashboard/assets/favicon.svg');
  }
}
