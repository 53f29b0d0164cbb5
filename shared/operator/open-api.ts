import { z } from 'zod';
import { component, components } from './components.ts';
import { ERRORS, type ErrorCode } from './error-table.ts';
import type { Operation } from './operation.ts';

const error = component(
  'Error',
  z.object({
    error: z.object({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      field: z.string().optional().meta({ description: 'the parameter at fault' }),
    }),
  }),
);

/** What every operation can answer. */
const ALWAYS: readonly ErrorCode[] = ['UNAUTHENTICATED', 'UNAVAILABLE', 'INTERNAL'];
const TAKES_BODY: readonly ErrorCode[] = [
  'INVALID_PARAMS',
  'PARSE_ERROR',
  'TOO_DEEP',
  'BODY_TOO_LARGE',
  'MEDIA_TYPE_REFUSED',
  'EXPECTATION_FAILED',
];

type Schema = Readonly<Record<string, unknown>>;

/** The API's description, made of the schemas that its input and output are checked with. */
export function openApi(operations: readonly Operation[]): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast operator API',
      version: '1',
      description:
        'Runs and what they wait for, for operators. Times are UTC, spans milliseconds; statuses that a reader does not know are open.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ token: [] }],
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            "On Google the platform's identity token; on one machine a token of operators.json in the data folder.",
        },
      },
      schemas: named(),
    },
  };
}

function pathsOf(operations: readonly Operation[]): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const each of operations) {
    const path = (paths[each.path] ??= {});
    path[each.method.toLowerCase()] = describe(each);
  }
  return paths;
}

function describe(operation: Operation): Schema {
  const { answer, body, bytes, id, right, stream, summary } = operation;
  const needs =
    right === 'none'
      ? undefined
      : `Needs ${right === 'any' ? 'any right' : `the right \`${right}\``} on the agent.`;
  return {
    operationId: id,
    summary,
    ...(needs !== undefined && {
      description: stream === undefined ? needs : `${needs} ${stream}`,
    }),
    ...(right === 'none' && { security: [] }),
    parameters: parametersOf(operation),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: json(bare(z.toJSONSchema(body, { io: 'input', override }))),
      },
    }),
    responses: {
      '200': {
        description: 'Done.',
        content: {
          ...(bytes === true ? BYTES : json(reference(answer))),
          ...(stream !== undefined && { 'text/event-stream': { schema: { type: 'string' } } }),
        },
      },
      ...failuresOf(operation),
    },
  };
}

function parametersOf({ path, query }: Operation): readonly Schema[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  if (query === undefined) return inPath;
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', override });
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schema as Schema,
  }));
  return [...inPath, ...inQuery];
}

function failuresOf({ body, errors = [], query, right }: Operation): Schema {
  const codes = new Set<ErrorCode>([
    ...(right === 'none' ? (['INTERNAL'] as const) : ALWAYS),
    ...(right === 'none' ? [] : (['PERMISSION_DENIED'] as const)),
    ...(body === undefined ? [] : TAKES_BODY),
    ...(query === undefined ? [] : (['INVALID_PARAMS'] as const)),
    ...errors,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { http } = ERRORS[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, all]) => [
        String(status),
        {
          description: all.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
          content: json(reference(error)),
        },
      ]),
  );
}

const BYTES = { 'application/octet-stream': {} };

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

function reference(schema: z.ZodType): Schema {
  const id = components.get(schema)?.id;
  return id === undefined
    ? bare(z.toJSONSchema(schema, { io: 'output', override }))
    : { $ref: pathTo(id) };
}

const pathTo = (id: string): string => `#/components/schemas/${id}`;

function named(): Schema {
  const { schemas } = z.toJSONSchema(components, { io: 'output', uri: pathTo, override });
  return Object.fromEntries(
    Object.entries(schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, schema]) => [id, bare(schema as Schema)]),
  );
}

const OWN: ReadonlySet<string> = new Set(['$id', '$schema']);

/** A schema as part of another document. */
function bare(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !OWN.has(key)));
}

/** The format says it; the pattern beside it is a page long. */
function override({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
}
