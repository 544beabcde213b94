import { IsString } from 'class-validator';
import { KeyPropertiesDto } from './key-properties.dto.js';

/** Body of `POST /dashboard/api/keys`. */
export class CreateKeyDto extends KeyPropertiesDto {
  @IsString({ message: '$property must be a text' })
  name!: string;
}
