import { Module } from '@nestjs/common';
import { BodyAdmission } from './body-admission.js';

/** The bound of what large requests take, for the edge and for modules that read more for a request than its body. */
@Module({ providers: [BodyAdmission], exports: [BodyAdmission] })
export class BodyMemoryModule {}
