import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ErrorFormats } from './error-formats.js';
import { RouteCatalog } from './route-catalog.js';

/** The application's routes and their error formats, for code that handles a request outside of its route. */
@Module({
  imports: [DiscoveryModule],
  providers: [ErrorFormats, RouteCatalog],
  exports: [ErrorFormats, RouteCatalog],
})
export class RoutesModule {}
