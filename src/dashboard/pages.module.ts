import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { ServeStaticModule, type ServeStaticModuleOptions } from '@nestjs/serve-static';
import { projectFolder } from '../common/files/project-folder.js';
import { PagesController } from './pages.controller.js';

const ROOT = '/dashboard/assets';

/** The dashboard's pages, and their scripts, styles and pictures, straight from `client/` and the chart library. */
@Module({
  imports: [
    ServeStaticModule.forRoot(
      files(ROOT, 'client', 'dashboard', 'assets'),
      files(`${ROOT}/uplot`, 'node_modules', 'uplot', 'dist'),
    ),
  ],
  controllers: [PagesController],
})
export class PagesModule {}

function files(serveRoot: string, ...folder: string[]): ServeStaticModuleOptions {
  return {
    rootPath: join(projectFolder(), ...folder),
    serveRoot,
    // What is no file is for the exception filter, not for an index page.
    exclude: [`${ROOT}/{*path}`],
    serveStaticOptions: { index: false, redirect: false, setHeaders: revalidated },
  };
}

/** No file name changes with its content, so browsers ask each time; an unchanged file costs them no transfer. */
function revalidated(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-cache');
}
