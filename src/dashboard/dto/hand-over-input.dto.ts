import { IsArray, IsString, MaxLength } from 'class-validator';
import { type PageInput } from '../../common/live-page/page-visitor.js';
import { IsPageInputs } from './is-page-inputs.decorator.js';

/** An operator's inputs in the page of a login by hand. */
export class HandOverInputDto {
  /** From the first event of the stream. */
  @IsString()
  @MaxLength(64)
  handOver!: string;

  @IsPageInputs()
  @IsArray()
  inputs!: PageInput[];
}
