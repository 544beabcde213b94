/** Links into one folder from which on it is written once. */
const MIN_LINKS = 4;

const LINK = /^(.{1,300}) -> (.{0,600}\/)([^/]{1,300})$/;

/** Names of links that lead to the same name in another folder, such as `java -> /usr/lib/jvm/bin/java`, by that folder. */
export interface SameNameLinks<T> {
  /** A line for each folder that several of them lead to. */
  readonly lines: readonly string[];
  readonly others: readonly T[];
}

/** @param nameOf the name of an entry, for links with the place that they lead to */
export function sameNameLinks<T>(entries: readonly T[], nameOf: (entry: T) => string): SameNameLinks<T> {
  const found = Map.groupBy(entries, (entry) => {
    const [, name, folder, target] = LINK.exec(nameOf(entry)) ?? [];
    return name === target ? folder : undefined;
  });
  const shared = [...found].filter(([folder, links]) => folder !== undefined && links.length >= MIN_LINKS);
  const taken = new Set(shared.flatMap(([, links]) => links));
  return {
    lines: shared.map(([folder, links]) => {
      const names = links.map((link) => LINK.exec(nameOf(link))?.[1] ?? '');
      return `links to the same names in ${folder}: ${names.join(', ')}`;
    }),
    others: entries.filter((entry) => !taken.has(entry)),
  };
}
