import { IsInt, Max, Min } from 'class-validator';

/** Body of `POST /dashboard/api/full-texts`. */
export class KeepTextsDto {
  /** 0 ends it. */
  @IsInt({ message: '$property must be a whole number' })
  @Min(0, { message: '$property must be at least 0' })
  @Max(60, { message: '$property must be at most 60' })
  minutes: number = undefined as unknown as number;
}
