/**
 * What an author says about an agent; the agent card adds what the deployment knows (URLs,
 * versions, capabilities).
 */
export interface CardFields {
  /** The agent's name in URLs: lower-case letters, digits and inner hyphens. */
  readonly name: string;
  /** Shown to people instead of `name`. */
  readonly displayName?: string;
  readonly description: string;
  /** The agent's own version, in any form. */
  readonly version: string;
  readonly skills: readonly CardSkill[];
  /** Media types that it takes and gives unless a skill says otherwise. */
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly extensions?: readonly CardExtension[];
  /** What callers see besides who have proved who they are: the extended card (section 3.1.11). */
  readonly extended?: ExtendedFields;
}

/** Of the extended card; its skills come after the public ones. */
export interface ExtendedFields {
  readonly description?: string;
  readonly skills?: readonly CardSkill[];
}

export interface CardSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

export interface CardExtension {
  readonly uri: string;
  readonly description?: string;
  /** A caller that does not name it is refused (section 3.3.4). */
  readonly required?: boolean;
  readonly params?: { readonly [key: string]: unknown };
}

/**
 * What keeps these fields from being a valid agent card (section 4.4.1), in words for the author;
 * empty if nothing.
 */
export function cardProblems(card: CardFields): string[] {
  const extendedSkills = card.extended?.skills ?? [];
  const problems = [
    ...missing(card, '', ['name', 'description', 'version']),
    ...empty(card.skills, 'skills'),
    ...empty(card.defaultInputModes, 'defaultInputModes'),
    ...empty(card.defaultOutputModes, 'defaultOutputModes'),
    ...card.skills.flatMap((skill, index) => skillProblems(skill, `skills[${index}]`)),
    ...extendedSkills.flatMap((skill, index) => skillProblems(skill, `extended.skills[${index}]`)),
    ...(card.extensions ?? []).flatMap((each, index) =>
      missing(each, `extensions[${index}].`, ['uri']),
    ),
    ...(card.provider === undefined
      ? []
      : missing(card.provider, 'provider.', ['organization', 'url'])),
    ...[card.provider?.url, card.documentationUrl, card.iconUrl].flatMap((url) =>
      url === undefined || URL.canParse(url) ? [] : [`${JSON.stringify(url)} is not a URL.`],
    ),
  ];
  if (card.name !== '' && !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(card.name)) {
    problems.push('name must be lower-case letters, digits and inner hyphens, 63 at most.');
  }
  return [...problems, ...repeated([...card.skills, ...extendedSkills].map(({ id }) => id))];
}

function skillProblems(skill: CardSkill, path: string): string[] {
  return [
    ...missing(skill, `${path}.`, ['id', 'name', 'description']),
    ...empty(skill.tags, `${path}.tags`),
  ];
}

function missing<T extends object>(value: T, prefix: string, keys: readonly (keyof T)[]): string[] {
  return keys
    .filter((key) => typeof value[key] !== 'string' || value[key].trim() === '')
    .map((key) => `${prefix}${String(key)} is missing.`);
}

function empty(values: readonly unknown[], path: string): string[] {
  return values.length === 0 ? [`${path} needs at least one entry.`] : [];
}

function repeated(ids: readonly string[]): string[] {
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [...new Set(twice)].map((id) => `Two skills have the id ${JSON.stringify(id)}.`);
}
