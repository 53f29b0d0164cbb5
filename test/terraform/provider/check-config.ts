import type { Attribute, Schema } from '../../../tools/terraform/schema-document.ts';
import { allowedValues, EXACTLY_ONE, formOf, LABEL_KEY, LABEL_VALUE } from './value-rules.ts';
import { dotted, mapFields, type Path } from './walk.ts';
import { type Fields, isFields, isGiven, Unknown, type Value } from './wire-value.ts';

export interface Complaint {
  readonly summary: string;
  readonly detail: string;
  readonly path?: Path;
}

/**
 * What Terraform itself can't see in a resource's configuration, because it is no matter of types.
 */
export function checkConfig(type: string, schema: Schema, config: Fields): readonly Complaint[] {
  const found: Complaint[] = [];
  mapFields(schema.block, config, (attribute, value, path) => {
    found.push(...complaintsAbout(type, attribute, value, path));
    return value;
  });
  for (const group of EXACTLY_ONE[type] ?? []) {
    const members = group.map((name) => config[name] ?? null);
    const count = members.filter(isGiven).length;
    if (count !== 1 && !members.some((value) => value instanceof Unknown)) {
      const detail = `exactly one of ${group.join(', ')} must be there, not ${count}`;
      found.push({ summary: 'Invalid combination of arguments', detail });
    }
  }
  return found;
}

export function isOutputOnly(attribute: Attribute): boolean {
  return attribute.computed === true && attribute.optional !== true && attribute.required !== true;
}

function complaintsAbout(
  type: string,
  attribute: Attribute,
  value: Value,
  path: Path,
): readonly Complaint[] {
  const name = dotted(path);
  if (isOutputOnly(attribute) && isGiven(value)) {
    return [
      { summary: 'Value for unconfigurable attribute', detail: `${name} is an output`, path },
    ];
  }
  if (/^(user_)?labels$/.test(name) && isFields(value)) return badLabels(value, path);
  if (typeof value !== 'string') return [];
  const allowed = allowedValues(attribute.description);
  if (allowed !== undefined && value !== '' && !allowed.includes(value)) {
    const detail = `expected ${name} to be one of ${allowed.join(', ')}, got ${value}`;
    return [{ summary: 'Value not allowed', detail, path }];
  }
  const rule = formOf(type, name);
  if (rule !== undefined && !rule.form.test(value)) {
    const detail = `${name} must be ${rule.is}, got "${value}"`;
    return [{ summary: 'Value has the wrong form', detail, path }];
  }
  return [];
}

function badLabels(labels: Fields, path: Path): readonly Complaint[] {
  const bad = Object.entries(labels).filter(
    ([key, value]) =>
      !LABEL_KEY.test(key) || (typeof value === 'string' && !LABEL_VALUE.test(value)),
  );
  return bad.map(([key]) => ({ summary: 'Label not allowed', detail: `the label ${key}`, path }));
}
