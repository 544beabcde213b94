import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ErrorFormats } from './error-formats.js';
import { RouteCatalog } from './route-catalog.js';

/** The application's routes, for those who are asked outside of one. */
@Module({
  imports: [DiscoveryModule],
  providers: [ErrorFormats, RouteCatalog],
  exports: [ErrorFormats, RouteCatalog],
})
export class RoutesModule {}
