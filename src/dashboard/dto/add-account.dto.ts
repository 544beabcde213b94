import { IsString, Length, Matches } from 'class-validator';
import { type Credentials } from '../../accounts/registry/account.js';
import { IsCredentials } from './is-credentials.decorator.js';

/** Body of `POST /dashboard/api/accounts`. */
export class AddAccountDto {
  @IsString({ message: '$property must be a text' })
  @Length(1, 100, { message: '$property must have 1 to 100 characters' })
  @Matches(/^(?!\s)\P{Cc}+(?<!\s)$/u, {
    message: '$property must be one line without control characters and without spaces around it',
  })
  name!: string;

  /** Those that the list names in `credentialFields`, e.g. `user` and `password`, or `key`. */
  @IsCredentials()
  credentials!: Credentials;
}
