import { Module } from '@nestjs/common';
import { ModelsModule } from '../../models/models.module.js';
import { ChatModule } from '../chat.module.js';
import { ResponsesController } from './responses.controller.js';
import { ResponsesService } from './responses.service.js';

/** The endpoint of responses. */
@Module({
  imports: [ChatModule, ModelsModule],
  controllers: [ResponsesController],
  providers: [ResponsesService],
})
export class ResponsesModule {}
