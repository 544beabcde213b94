import { Module } from '@nestjs/common';
import { SingleNodeTenures } from './single-node-tenures.js';
import { Tenures } from './tenures.js';

/** Who may use which account. */
@Module({
  providers: [{ provide: Tenures, useClass: SingleNodeTenures }],
  exports: [Tenures],
})
export class ClusterModule {}
