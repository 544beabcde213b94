import { Injectable } from '@nestjs/common';
import { type Settings } from '../common/config/settings.js';
import { type JsonObject } from '../common/text/json-object.js';
import { type FindModel } from '../models/model.js';
import { type ChatRequest } from './dto/completion-request.factory.js';

/** Bodies in the form of another format that clients send to `/v1/chat/completions`, and want answered in its format. */
export interface BodyForm {
  readonly isFormOf: (body: JsonObject) => boolean;
  /**
   * @param findModel throws ModelNotFoundError
   * @throws InvalidRequestError whose `param` names the field
   */
  readonly toRequest: (
    body: JsonObject,
    findModel: FindModel,
    settings: Settings,
    streamDefault: boolean,
  ) => ChatRequest;
}

/** The forms of bodies besides the endpoint's own; the module of each format adds its form. */
@Injectable()
export class BodyForms {
  private readonly forms: BodyForm[] = [];

  add(form: BodyForm): void {
    this.forms.push(form);
  }

  find(body: JsonObject): BodyForm | undefined {
    return this.forms.find(({ isFormOf }) => isFormOf(body));
  }
}
