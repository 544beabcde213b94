import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FullTexts } from '../logs/full-texts.js';
import { KeepTextsDto } from './dto/keep-texts.dto.js';

/** Keeps full texts for a time, for an operator who looks for a fault. */
@Controller('dashboard/api/full-texts')
export class FullTextsController {
  constructor(private readonly fullTexts: FullTexts) {}

  @Post()
  @HttpCode(200)
  keep(@Body() { minutes }: KeepTextsDto): { readonly remainingMs: number } {
    this.fullTexts.keepFor(minutes);
    return { remainingMs: this.fullTexts.remainingMs };
  }
}
