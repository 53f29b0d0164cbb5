import { sizeInWords } from './describe.ts';
import type { TableProfile } from './profile.ts';
import { counted } from './wording.ts';

/** The answer in a sentence or two; every number in it is counted from the table. */
export function summarize(profile: TableProfile, name: string, more: number): string {
  const { columns, rows } = profile;
  const rest =
    more === 0 ? '' : ` ${counted(more, 'further table')} in the message: send each on its own.`;
  const subject = name.replace(/^the /, 'The ');
  if (columns.length === 0) return `${subject} is empty.${rest}`;
  if (rows === 0)
    return `${subject} has a header of ${counted(columns.length, 'column')} and no rows.${rest}`;
  return `${subject} has ${sizeInWords(profile)}. ${toCheck(profile)}${rest}`;
}

function toCheck({ columns }: TableProfile): string {
  const warned = columns.filter(({ warnings }) => warnings.length > 0).map(({ name }) => name);
  if (warned.length === 0) return 'Nothing in its columns looks odd.';
  const shown = warned.slice(0, 3).join(', ');
  const others = warned.length > 3 ? ` and ${warned.length - 3} more` : '';
  const verb = warned.length === 1 ? 'has' : 'have';
  return `${counted(warned.length, 'column')} ${verb} something to check: ${shown}${others}.`;
}
