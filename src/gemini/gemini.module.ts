import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { ModelsModule } from '../models/models.module.js';
import { GeminiController } from './gemini.controller.js';
import { GeminiModelsController } from './gemini-models.controller.js';

/** The endpoints of the Gemini API. */
@Module({
  imports: [ChatModule, ModelsModule],
  controllers: [GeminiController, GeminiModelsController],
})
export class GeminiModule {}
