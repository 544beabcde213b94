import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { ServeStaticModule, type ServeStaticModuleOptions } from '@nestjs/serve-static';
import { projectFolder } from '../../common/files/project-folder.js';
import { PagesController } from './pages.controller.js';
import { RootController } from './root.controller.js';

const ROOT = '/dashboard/assets';

/** Serves the dashboard's pages and their assets from `client/`, and two libraries from their packages. */
@Module({
  imports: [
    ServeStaticModule.forRoot(
      files(ROOT, 'client', 'dashboard', 'assets'),
      files(`${ROOT}/uplot`, 'node_modules', 'uplot', 'dist'),
      files(`${ROOT}/diff`, 'node_modules', 'diff', 'libesm'),
    ),
  ],
  controllers: [PagesController, RootController],
})
export class PagesModule {}

function files(serveRoot: string, ...folder: string[]): ServeStaticModuleOptions {
  return {
    rootPath: join(projectFolder(), ...folder),
    serveRoot,
    // Unknown paths fall through to the exception filter instead of an index page.
    exclude: [`${ROOT}/{*path}`],
    serveStaticOptions: { index: false, redirect: false, setHeaders: revalidated },
  };
}

/** File names carry no content hash, so browsers revalidate each time; an unchanged file costs a 304. */
function revalidated(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-cache');
}
