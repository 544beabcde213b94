import { createHash } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { callerKeyOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { AnswersErrorsAs } from '../common/http/answer/answers-errors-as.decorator.js';
import { TakesAnyMediaType } from '../common/http/body/takes-any-media-type.decorator.js';
import { CREATED_AT, type Model } from '../models/model.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { OllamaShowDto } from './dto/ollama-bodies.dto.js';
import { modelFinder } from './dto/ollama-request.factory.js';
import { OLLAMA_ERRORS } from './ollama-errors.js';

/** The version of the API that is spoken here; editors ask for one from 0.6.4 on. */
const API_VERSION = '0.12.6';

/** Family of all models, by which clients find a model's context window. */
const FAMILY = 'gateway';

interface OllamaModel {
  readonly name: string;
  readonly model: string;
  readonly modified_at: string;
  readonly size: number;
  readonly digest: string;
  readonly details: typeof DETAILS;
}

const DETAILS = {
  parent_model: '',
  format: '',
  family: FAMILY,
  families: [FAMILY],
  parameter_size: '',
  quantization_level: '',
} as const;

/** What clients of the Ollama API ask before they chat. A key that is kept to some models sees no others. */
@AnswersErrorsAs(OLLAMA_ERRORS)
@NeedsRole('caller')
@TakesAnyMediaType()
@Controller('api')
export class OllamaModelsController {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly driver: UpstreamDriver,
  ) {}

  @Get('version')
  version(): { readonly version: string } {
    return { version: API_VERSION };
  }

  @Get('tags')
  async tags(@Req() request: Request): Promise<{ readonly models: readonly OllamaModel[] }> {
    const models = await this.catalog.listFor(callerKeyOf(request));
    return { models: models.map(({ id }) => toOllamaModel(id)) };
  }

  /** Models that are loaded; no model runs in the gateway. */
  @Get('ps')
  loaded(): { readonly models: readonly [] } {
    return { models: [] };
  }

  @Post('show')
  @HttpCode(200)
  async show(@Body() body: OllamaShowDto, @Req() request: Request): Promise<object> {
    const find = modelFinder(await this.catalog.finderFor(callerKeyOf(request)));
    const model = find(body.model ?? body.name ?? '');
    return {
      modelfile: '',
      parameters: '',
      template: '',
      details: DETAILS,
      model_info: {
        'general.architecture': FAMILY,
        'general.basename': model.id,
        [`${FAMILY}.context_length`]: model.contextWindow,
      },
      capabilities: this.capabilities(model),
      modified_at: CREATED_AT,
    };
  }

  private capabilities({ modalities = [], thinking }: Model): string[] {
    return [
      'completion',
      ...(this.driver.isLossy ? [] : ['tools']),
      ...(thinking ? ['thinking'] : []),
      ...(modalities.includes('image') ? ['vision'] : []),
    ];
  }
}

function toOllamaModel(id: string): OllamaModel {
  const digest = createHash('sha256').update(id).digest('hex');
  return { name: id, model: id, modified_at: CREATED_AT, size: 0, digest, details: DETAILS };
}
