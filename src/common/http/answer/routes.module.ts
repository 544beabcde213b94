import { Module, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { ErrorFormats } from './error-formats.js';
import { RouteCatalog } from './route-catalog.js';

/** The application's routes and their error formats, for code that handles a request outside of its route. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ErrorFormats,
    {
      provide: RouteCatalog,
      inject: [DiscoveryService],
      // Nest knows all of them before it makes the first instance of anything.
      useFactory: (discovery: DiscoveryService) =>
        new RouteCatalog(discovery.getControllers().map(({ metatype }) => metatype as Type)),
    },
  ],
  exports: [ErrorFormats, RouteCatalog],
})
export class RoutesModule {}
