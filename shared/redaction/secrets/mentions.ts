// A secret behind its name without a sign: "the password is …", `--token …` of a command line,
// `<password>…</password>`, `login … password …` of .netrc
// (https://everything.curl.dev/usingcurl/netrc.html), curl's and others' `-u user:…`.
import type { Finding } from '../finding.ts';
import { matching } from '../matching.ts';
import { KEY_NAMES, PASSWORD_NAMES } from './names.ts';
import { isPlaceholder } from './placeholders.ts';
import { BARE, isSpokenPassword } from './values.ts';

const NAMES = `(?:${PASSWORD_NAMES}|${KEY_NAMES})`;
const SAID = `(?:${PASSWORD_NAMES}) (?:is|ist|lautet|es|est|:)[: ]{1,2}["']?`;

const finders = [
  matching('secret', new RegExp(SAID + BARE, 'dgi'), isSpokenPassword),
  matching('secret', new RegExp(`--[a-z-]{0,32}${NAMES}[ =]["']?${BARE}`, 'dgi'), isSpokenPassword),
  matching('secret', new RegExp(`<[\\w:.-]{0,32}${NAMES}>${BARE}</`, 'dgi')),
  matching(
    'secret',
    new RegExp(`(?<![a-z])login \\S{1,64} password ${BARE}`, 'dgi'),
    ({ value }) => !isPlaceholder(value),
  ),
  matching(
    'secret',
    /(?<=\s)(?:-u|--user)[ =]["']?[^\s:"']{1,64}:(?<value>[^\s"']{1,256})/dg,
    ({ value }) => !/^\d+$/.test(value) && !isPlaceholder(value),
  ),
];

export function findMentions(text: string): readonly Finding[] {
  return finders.flatMap((find) => find(text));
}
