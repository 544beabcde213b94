import { type ServerResponse } from 'node:http';
import { Module } from '@nestjs/common';
import { ServeStaticModule, type ServeStaticModuleOptions } from '@nestjs/serve-static';
import { ASSET_FOLDERS } from './asset-folders.js';
import { ClientFiles } from './client-files.js';
import { CompressedAssets } from './compressed-assets.js';
import { PagesController } from './pages.controller.js';
import { RootController } from './root.controller.js';

/** Serves the dashboard's pages and their assets. */
@Module({
  imports: [ServeStaticModule.forRoot(...ASSET_FOLDERS.map(([path, folder]) => files(path, folder)))],
  controllers: [PagesController, RootController],
  providers: [ClientFiles, CompressedAssets],
})
export class PagesModule {}

function files(serveRoot: string, rootPath: string): ServeStaticModuleOptions {
  return {
    rootPath,
    serveRoot,
    // Unknown paths fall through to the exception filter instead of an index page.
    exclude: ['/dashboard/assets/{*path}'],
    serveStaticOptions: { index: false, redirect: false, setHeaders: revalidated },
  };
}

/** File names carry no content hash, so browsers revalidate each time; an unchanged file costs a 304. */
function revalidated(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-cache');
}
