import { type Credentials } from '../../accounts/registry/account.js';
import { IsCredentials } from './is-credentials.decorator.js';

/** Body of `PATCH /dashboard/api/accounts/{id}`. */
export class UpdateAccountDto {
  /** Complete new credentials; the old ones are discarded. */
  @IsCredentials()
  credentials!: Credentials;
}
