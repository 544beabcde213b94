import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { ModelsModule } from '../models/models.module.js';
import { MessagesController } from './messages.controller.js';

/** The endpoint in the Messages format. */
@Module({ imports: [ChatModule, ModelsModule], controllers: [MessagesController] })
export class MessagesModule {}
