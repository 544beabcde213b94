import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { ToInteger } from '../../common/http/body/integer-query.decorator.js';

/** Query of `GET /v1/responses/{id}/input_items`; limits and defaults of the format. */
export class ListInputItemsDto {
  @ToInteger()
  @Max(100, { message: '$property must not be greater than 100' })
  @Min(1, { message: '$property must not be less than 1' })
  @IsInt({ message: '$property must be an integer number' })
  @IsOptional()
  limit = 20;

  @IsIn(['asc', 'desc'], { message: '$property must be asc or desc' })
  @IsOptional()
  order: 'asc' | 'desc' = 'desc';

  /** Id of the item after which the list begins; at its beginning if it is empty. */
  @Transform(({ value }) => (value === '' ? undefined : (value as unknown)))
  @IsString({ message: '$property must be a string' })
  @IsOptional()
  after?: string;
}
