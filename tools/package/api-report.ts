import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { declarationsOf, type Declarations } from './declarations.ts';

interface Named {
  readonly file: string;
  readonly name: string;
}

/**
 * What an entry point promises to those who import it: the names that it exports, and each
 * declaration that these lead to, without comments, file by file. Read from emitted declarations,
 * so any change of a type that an author may have written down is a line of this report. Throws for
 * a form of declaration that it doesn't know.
 */
export function apiReport(folder: string, entry: string): string {
  const modules = new Map<string, Declarations>();
  const moduleOf = (file: string): Declarations => {
    const known = modules.get(file) ?? declarationsOf(readFileSync(join(folder, file), 'utf8'));
    modules.set(file, known);
    return known;
  };
  const reached = new Map<string, Set<string>>();
  const foreign = new Set<string>();

  function reach({ file, name }: Named): void {
    const { declared, imported, reexported } = moduleOf(file);
    const from = imported.get(name) ?? (declared.has(name) ? undefined : reexported.get(name));
    if (from !== undefined) return reachFrom(file, from.specifier, from.name);
    const declaration = declared.get(name);
    // A name of the language, of Node, or of a type parameter.
    if (declaration === undefined || reached.get(file)?.has(name) === true) return;
    reached.set(file, (reached.get(file) ?? new Set()).add(name));
    for (const each of declaration.names) reach({ file, name: each });
    for (const each of declaration.inline) reachFrom(file, each.specifier, each.name);
  }
  function reachFrom(file: string, specifier: string, name: string): void {
    if (!specifier.startsWith('.')) return void foreign.add(`${specifier}: ${name}`);
    const path = posix.join(posix.dirname(file), specifier).replace(/\.[jt]s$/, '.d.ts');
    reach({ file: path, name });
  }

  const { exported, reexported } = moduleOf(entry);
  for (const { as, local } of exported)
    reach({ file: entry, name: reexported.has(as) ? as : local });
  const names = exported.map(({ as, local }) => (as === local ? as : `${local} as ${as}`));
  const files = [...reached].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `export { ${names.toSorted().join(', ')} };`,
    ...[...foreign].toSorted().map((each) => `// uses ${each}`),
    ...files.map(([file, reachedNames]) => {
      const { declared } = moduleOf(file);
      const texts = [...declared].filter(([name]) => reachedNames.has(name));
      const said = [...new Set(texts.map(([, { text }]) => text))];
      return [`// -- ${file.replace(/\.d\.ts$/, '')}`, ...said].join('\n');
    }),
    '',
  ].join('\n\n');
}
