import { parseSync } from 'vite';

/** A name of another module. */
interface From {
  readonly specifier: string;
  readonly name: string;
}

interface Declaration {
  /** Without comments. */
  readonly text: string;
  /** Every identifier in it. */
  readonly names: ReadonlySet<string>;
  /** `import("./a.js").A` in a type. */
  readonly inline: readonly From[];
}

/** An emitted .d.ts by its names. */
export interface Declarations {
  readonly declared: ReadonlyMap<string, Declaration>;
  readonly imported: ReadonlyMap<string, From>;
  readonly reexported: ReadonlyMap<string, From>;
  readonly exported: readonly { readonly local: string; readonly as: string }[];
}

type Parsed = ReturnType<typeof parseSync>;
type Statement = Parsed['program']['body'][number];

/** Throws for a statement of a form that the compiler was not seen to emit. */
export function declarationsOf(text: string): Declarations {
  const { comments, errors, module, program } = parseSync('declarations.d.ts', text);
  const [error] = errors;
  if (error !== undefined) throw new Error(error.message);
  const declared = new Map<string, Declaration>();
  for (const statement of program.body) {
    const found = declaredBy(statement);
    if (found.length === 0) continue;
    const { start, end } = statement;
    const names = new Set<string>();
    const inline: From[] = [];
    collect(statement, names, inline);
    const bare = textWithout(comments, text, start, end);
    // Overloads and merged declarations share a name.
    for (const name of found) {
      const before = declared.get(name);
      declared.set(name, {
        text: before === undefined ? bare : `${before.text}\n${bare}`,
        names: new Set([...(before?.names ?? []), ...names]),
        inline: [...(before?.inline ?? []), ...inline],
      });
    }
  }
  const imported = new Map<string, From>();
  for (const { entries, moduleRequest } of module.staticImports) {
    for (const { importName, localName } of entries) {
      const name = importName.kind === 'Name' ? (importName.name ?? '*') : importName.kind;
      imported.set(localName.value, { specifier: moduleRequest.value, name });
    }
  }
  const reexported = new Map<string, From>();
  const exported: { local: string; as: string }[] = [];
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, localName, moduleRequest } of entries) {
      const as = exportName.name ?? exportName.kind;
      if (moduleRequest === null) exported.push({ as, local: localName.name ?? as });
      else {
        if (importName.kind !== 'Name') throw new Error(`export * from ${moduleRequest.value}`);
        reexported.set(as, { specifier: moduleRequest.value, name: importName.name ?? as });
        exported.push({ as, local: importName.name ?? as });
      }
    }
  }
  return { declared, imported, reexported, exported };
}

function declaredBy(statement: Statement): readonly string[] {
  const { type } = statement;
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return [];
  if (type === 'ExportNamedDeclaration')
    return statement.declaration === null ? [] : declaredBy(statement.declaration);
  if (type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  if (type === 'FunctionDeclaration' || type === 'TSDeclareFunction' || type === 'ClassDeclaration')
    return statement.id === null ? [] : [statement.id.name];
  if (type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration')
    return [statement.id.name];
  throw new Error(`a declaration of the form ${type} is not known`);
}

/** Goes through a syntax tree, whatever it is made of. */
function collect(node: unknown, names: Set<string>, inline: From[]): void {
  if (Array.isArray(node)) return node.forEach((each) => collect(each, names, inline));
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'Identifier' && 'name' in node) names.add(String(node.name));
  if ('type' in node && node.type === 'TSImportType') inline.push(inlineOf(node));
  for (const each of Object.values(node)) collect(each, names, inline);
}

function inlineOf(node: object): From {
  const { qualifier, source } = node as {
    readonly qualifier?: { readonly name?: string } | null;
    readonly source?: { readonly value?: string };
  };
  const { value: specifier } = source ?? {};
  if (specifier === undefined) throw new Error('an import in a type without a module');
  return { specifier, name: qualifier?.name ?? '*' };
}

function textWithout(
  comments: Parsed['comments'],
  text: string,
  start: number,
  end: number,
): string {
  let at = start;
  let bare = '';
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue;
    bare += text.slice(at, comment.start);
    at = comment.end;
  }
  bare += text.slice(at, end);
  return bare
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
}
