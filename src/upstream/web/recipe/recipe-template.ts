/** Values for `{{name}}` placeholders, e.g. of `account.user` or `site.origin`. */
export type TemplateValues = Readonly<Record<string, string>>;

const PLACE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/**
 * Fills in the placeholders of a text. Throws UnknownTemplateNameError on a name without a value.
 * @param escape what a value becomes in the text; by default it stays as it is
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  escape: (value: string, name: string) => string = (value) => value,
): string {
  return template.replace(PLACE, (_place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      throw new UnknownTemplateNameError(name);
    }
    return escape(value, name);
  });
}

/** Names of the placeholders in a text, in order. */
export function templateNames(template: string): string[] {
  return [...template.matchAll(PLACE)].map((match) => match[1] ?? '');
}

class UnknownTemplateNameError extends Error {
  override name = 'UnknownTemplateNameError';

  constructor(readonly templateName: string) {
    super(`no value for {{${templateName}}}`);
  }
}
