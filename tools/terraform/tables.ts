import type { HclBody } from './hcl.ts';

/** Markdown tables of a module's inputs and outputs, as its files declare them. */
export function inputsTable(variables: ReadonlyMap<string, HclBody>): string {
  const rows = [...variables].flatMap(([name, body]) => {
    const type = plain(body['type']);
    const required = !('default' in body);
    const description = typeof body['description'] === 'string' ? body['description'] : '';
    const members = membersOf(type);
    const kind =
      members.length === 0 ? type : type.startsWith('map(') ? 'map of objects' : 'object';
    const value = required ? 'required' : `\`${literal(body['default'])}\``;
    return [
      [`\`${name}\``, kind, value, description],
      ...members.map((member) => [`\`${name}.${member.name}\``, member.type, member.value, '']),
    ];
  });
  return table(['Name', 'Type', 'Default', 'Description'], rows);
}

export function outputsTable(outputs: ReadonlyMap<string, HclBody>): string {
  const rows = [...outputs].map(([name, { description }]) => [
    `\`${name}\``,
    typeof description === 'string' ? description : '',
  ]);
  return table(['Name', 'Description'], rows);
}

/**
 * The text with what stands between its markers replaced: `<!-- inputs -->` to
 * `<!-- end of inputs -->`.
 */
export function withTable(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no place for the ${name}: ${begin} ... ${end}`);
  return `${text.slice(0, from)}${begin}\n\n${content}\n\n${text.slice(to)}`;
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** An object type is written with one member a line. */
function membersOf(type: string): readonly Member[] {
  if (!type.includes('object(')) return [];
  return type.split('\n').flatMap((line) => {
    const [, name, of] = /^\s+(\w+)\s*=\s*(.+?),?$/.exec(line) ?? [];
    if (name === undefined || of === undefined) return [];
    const [, inner] = /^optional\((.*)\)$/.exec(of) ?? [];
    if (inner === undefined) return [{ name, type: of, value: 'required' }];
    const at = inner.lastIndexOf(', ');
    return at < 0
      ? [{ name, type: inner, value: '`null`' }]
      : [{ name, type: inner.slice(0, at), value: `\`${inner.slice(at + 2)}\`` }];
  });
}

function plain(expression: unknown): string {
  const text = typeof expression === 'string' ? expression : 'any';
  return text.replace(/^\$\{([^]*)\}$/, '$1');
}

function literal(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
