import { z } from 'zod';

const schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get items() {
    return schema.optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
});
type Schema = z.infer<typeof schema>;

const content = z.record(z.string(), z.object({ schema: schema.optional() })).optional();

const operation = z.object({
  summary: z.string(),
  description: z.string().default(''),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema }),
  ),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content })),
});
type Operation = z.infer<typeof operation>;

const description = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

/** An OpenAPI description as a page, in Markdown: each operation, and each object that it names. */
export function openApiPage(text: string): string {
  const { components, info, paths } = description.parse(JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, given]) => section(method, path, given)),
  );
  const objects = Object.entries(components.schemas).map(
    ([name, given]) => `### ${name}\n\n${given.description ?? ''}\n\n${fieldsOf(given)}`,
  );
  return [
    `# ${info.title}\n\n${info.description} This page is made of \`openapi.json\`, which lies beside it.`,
    `## Operations\n\n${operations.join('\n\n')}`,
    `## Objects\n\n${objects.join('\n\n')}`,
  ].join('\n\n');
}

function section(method: string, path: string, given: Operation): string {
  const { description, parameters, requestBody, responses, summary } = given;
  const asked = parameters.map(({ in: where, name, required = false, schema }) => [
    `\`${name}\` (${where})`,
    typeOf(schema),
    required,
    schema.description ?? '',
  ]);
  const body = bodyOf(requestBody?.content);
  const fields = Object.entries(body?.properties ?? {}).map(([name, each]) => [
    `\`${name}\``,
    typeOf(each),
    body?.required?.includes(name) === true,
    each.description ?? '',
  ]);
  const codes = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, each]) =>
      [...each.description.matchAll(/`([A-Z_]+)`:/g)].map(([, code = '']) => `${code} (${status})`),
    );
  const answer = Object.entries(responses).find(([status]) => Number(status) < 400)?.[1];
  const answered = bodyOf(answer?.content);
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${summary} ${description}`.trim(),
    table([...asked, ...fields]),
    answered === undefined ? '' : `Answers with ${typeOf(answered)}.`,
    codes.length === 0 ? '' : `Refuses with ${codes.join(', ')} ([error codes](error-codes.md)).`,
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

const bodyOf = (given: z.infer<typeof content>): Schema | undefined =>
  given?.['application/json']?.schema;

const fieldsOf = ({ properties = {}, required = [], ...rest }: Schema): string =>
  Object.keys(properties).length === 0
    ? typeOf(rest)
    : table(
        Object.entries(properties).map(([name, each]) => [
          `\`${name}\``,
          typeOf(each),
          required.includes(name),
          each.description ?? '',
        ]),
      );

type Row = readonly (string | boolean)[];

function table(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ([name, type, required, words]) =>
      `| ${name} | ${type} | ${required === true ? 'yes' : ''} | ${cell(`${words}`)} |`,
  );
  return ['| field | type | always | meaning |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

const cell = (words: string): string => words.replaceAll('|', '\\|').replaceAll('\n', ' ');

function typeOf({
  anyOf,
  const: only,
  enum: values,
  format,
  items,
  oneOf,
  $ref,
  type,
}: Schema): string {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((each) => `\`${String(each)}\``).join(', ');
  const either = anyOf ?? oneOf;
  if (either !== undefined) return [...new Set(either.map(typeOf))].join(' or ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? 'anything');
  return format === undefined ? name : `${name} (${format})`;
}
