import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { ModelsModule } from '../models/models.module.js';
import { TextCompletionsController } from './text-completions.controller.js';

/** The endpoint of the format before chat completions. */
@Module({ imports: [ChatModule, ModelsModule], controllers: [TextCompletionsController] })
export class TextCompletionsModule {}
