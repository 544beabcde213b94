/** Values for `{{name}}` places, e.g. `account.user` or `site.origin`. */
export type TemplateValues = Readonly<Record<string, string>>;

const PLACE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Fills the places of a recipe text. Throws on a name that has no value. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(PLACE, (_place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      throw new UnknownTemplateNameError(name);
    }
    return value;
  });
}

/** Names used by a text. */
export function templateNames(template: string): string[] {
  return [...template.matchAll(PLACE)].map((match) => match[1] ?? '');
}

export class UnknownTemplateNameError extends Error {
  override name = 'UnknownTemplateNameError';

  constructor(readonly templateName: string) {
    super(`no value for {{${templateName}}}`);
  }
}
