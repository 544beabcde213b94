import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { ModelsModule } from '../models/models.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { OllamaController } from './ollama.controller.js';
import { OllamaModelsController } from './ollama-models.controller.js';

/** The endpoints of the Ollama API. */
@Module({
  imports: [ChatModule, ModelsModule, UpstreamModule],
  controllers: [OllamaController, OllamaModelsController],
})
export class OllamaModule {}
