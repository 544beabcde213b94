import { describe, expect, test } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { AnswersErrorsAs } from './answers-errors-as.decorator.js';
import { ErrorFormats } from './error-formats.js';
import { RouteCatalog } from './route-catalog.js';

const MESSAGES: ErrorFormat = { ...DEFAULT_ERROR_FORMAT, clientHeader: 'message-version' };
const OLLAMA: ErrorFormat = { ...DEFAULT_ERROR_FORMAT };
const GEMINI: ErrorFormat = { ...DEFAULT_ERROR_FORMAT };

@AnswersErrorsAs(MESSAGES)
@Controller('v1/messages')
class Messages {
  @Post(['', 'count_tokens'])
  create(): void {}
}

@AnswersErrorsAs(OLLAMA)
@Controller('api')
class Ollama {
  @Post('chat')
  chat(): void {}
}

@AnswersErrorsAs(GEMINI)
@Controller(['v1beta/models', 'v1/models'])
class Gemini {
  @Post(':model\\:generateContent')
  generate(): void {}
}

@Controller()
class Others {
  @Get(['v1/models', 'dashboard/api/keys'])
  list(): void {}
}

const formats = new ErrorFormats(new RouteCatalog([Messages, Ollama, Gemini, Others]));

describe('ErrorFormats', () => {
  test.each([
    ['/v1/messages', MESSAGES],
    ['/v1/messages/batches', MESSAGES],
    ['//v1/messages', MESSAGES],
    ['/api/chat', OLLAMA],
    ['/api/embed', OLLAMA],
    ['/API/blobs/sha256:1', OLLAMA],
    ['/v1/api/chat', OLLAMA],
    ['/v1beta', GEMINI],
    ['/v1beta/cachedContents', GEMINI],
    ['/v1/v1beta/models/m:generateContent', GEMINI],
    ['/v1/models/m:generateContent', GEMINI],
    ['/v1/models/m/n', DEFAULT_ERROR_FORMAT],
    ['/v1/nothing', DEFAULT_ERROR_FORMAT],
    ['/api/v1/chat/completions', DEFAULT_ERROR_FORMAT],
    ['/dashboard/api/nothing', DEFAULT_ERROR_FORMAT],
    ['/', DEFAULT_ERROR_FORMAT],
  ])('of %s', (path, expected) => {
    expect(formats.of({ path, headers: {} })).toBe(expected);
  });

  test('the format of a caller who names one goes before that of the endpoints beside a path', () => {
    const headers = { 'message-version': '1' };
    expect(formats.of({ path: '/api/embed', headers })).toBe(MESSAGES);
    expect(formats.of({ path: '/api/chat', headers })).toBe(OLLAMA);
  });
});
