import { unescape } from 'node:querystring';

/** The header for the name and password in a URL; none without. @param field its name */
export function basicAuthorization(
  { username, password }: URL,
  field = 'authorization',
): Readonly<Record<string, string>> {
  if (username === '' && password === '') {
    return {};
  }
  // Unlike decodeURIComponent, it takes a `%` that begins no encoding as it stands.
  const credentials = `${unescape(username)}:${unescape(password)}`;
  return { [field]: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
