import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ErrorFormats } from './error-formats.js';
import { RouteCatalog } from './route-catalog.js';

/** What is known of the application's routes outside them. */
@Module({
  imports: [DiscoveryModule],
  providers: [ErrorFormats, RouteCatalog],
  exports: [ErrorFormats, RouteCatalog],
})
export class RoutesModule {}
