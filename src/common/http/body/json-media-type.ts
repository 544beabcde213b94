const PARAMETER = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:"([^"]*)"|([^\s";]*))\s*$/;

/**
 * Whether a `Content-Type` is `application/json` in UTF-8; other parameters are tolerated. Nothing else may pass, since
 * a web page can send the media types of forms across sites without a preflight.
 */
export function isJsonMediaType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    return false;
  }
  return parameters.every((text) => {
    const [, name = '', quoted, bare = ''] = PARAMETER.exec(text) ?? [];
    return (
      text.trim() === '' || (name !== '' && (name.toLowerCase() !== 'charset' || isUtf8(quoted ?? bare)))
    );
  });
}

function isUtf8(charset: string): boolean {
  return /^utf-?8$/i.test(charset);
}
