import { existsSync, readFileSync } from 'node:fs';
import { introduction, limits } from './words.ts';

/**
 * The results file with some of its sections measured anew. Each section stands alone, with the
 * load that it was measured under, so a machine that was busy for one of them costs only that one
 * again.
 */
export function renewed(
  file: string,
  names: readonly string[],
  measured: ReadonlyMap<string, string>,
): string {
  const kept = sectionsOf(existsSync(file) ? readFileSync(file, 'utf8') : '');
  const sections = names.flatMap((name) => {
    const text = measured.get(name) ?? kept.get(name);
    return text === undefined ? [] : [`<!-- ${name} -->\n\n${text}`];
  });
  return `${[introduction(), ...sections, `<!-- limits -->\n\n${limits}`].join('\n\n')}\n`;
}

function sectionsOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^<!-- ([\w-]+) -->$/m).slice(1);
  const pairs = parts.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, (parts[at + 1] ?? '').trim()]] : [],
  );
  return new Map(pairs);
}
