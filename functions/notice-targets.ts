import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { agentName } from '../shared/domain/ids.ts';
import { NOTICE_FORMS, NOTICE_KINDS, type NoticeTarget } from '../shared/domain/notice.ts';
import { BadConfiguration } from './settings.ts';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;
const WEEK = 7 * UNITS.d;

const span = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, 'must be a number and a unit: 90s, 15m, 2h or 1d')
  .transform((text) => Number(text.slice(0, -1)) * UNITS[text.slice(-1) as Unit])
  .refine((value) => value <= WEEK, 'must be at most 7d');

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')
  .transform((text) => 60 * Number(text.slice(0, 2)) + Number(text.slice(3)));

const timezone = z.string().refine(isTimezone, 'must be a time zone such as Europe/Berlin');

const entry = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
      error: 'must be 1 to 40 lower-case letters, digits and inner hyphens',
    }),
    form: z.enum(NOTICE_FORMS).default('json'),
    url: z.string().min(1).max(2_048).optional(),
    secret: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,200}$/)
      .optional(),
    events: z.array(z.enum(NOTICE_KINDS)).min(1),
    agents: z
      .array(z.string().refine((name) => agentName(name) !== undefined, 'is no name of an agent'))
      .min(1)
      .optional(),
    after: span.default(0),
    lead: span.default(UNITS.h),
    digest: span.default(0),
    quiet: z.strictObject({ from: timeOfDay, to: timeOfDay, timezone }).optional(),
    content: z.boolean().default(false),
  })
  .refine(({ secret, url }) => (secret === undefined) !== (url === undefined), {
    error: 'needs either url or secret, the name of the secret that is its URL',
  });

const list = z
  .array(entry)
  .max(20)
  .superRefine((targets, context) => {
    const names = targets.map(({ name }) => name);
    const twice = names.findIndex((name, at) => names.indexOf(name) < at);
    if (twice >= 0)
      context.addIssue({ code: 'custom', path: [twice, 'name'], message: 'is taken by another' });
  });

/**
 * Whom operators want told (docs/notices.md): JSON, or a file that holds it. Empty: no one. Throws
 * BadConfiguration that names the entry and the field at fault.
 */
export function noticeTargets(value: string | undefined): readonly NoticeTarget[] {
  if (value === undefined) return [];
  const isText = value.trimStart().startsWith('[');
  const from = isText ? '--notices' : `--notices ${value}`;
  const parsed = list.safeParse(jsonOf(isText ? value : textOf(value), from));
  if (!parsed.success) throw new BadConfiguration(wordsFor(from, parsed.error));
  return parsed.data.map(({ agents, quiet, secret, url, ...target }) => ({
    ...target,
    at: url === undefined ? { secret: secret ?? '' } : { url },
    ...(agents !== undefined && { agents }),
    ...(quiet !== undefined && { quiet }),
  }));
}

function wordsFor(from: string, { issues }: z.ZodError): string {
  const [issue] = issues;
  const place = (issue?.path ?? [])
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  return `${from}: targets${place}: ${issue?.message ?? 'is wrong'} (docs/notices.md)`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no file';
    throw new BadConfiguration(`--notices ${file}: can't be read (${code})`);
  }
}

function jsonOf(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadConfiguration(`${from}: is no JSON; it is a list of targets (docs/notices.md)`);
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
