import { z } from 'zod';
import type { Artifact, Json, Part } from 'holdfast/agent';

const part = z.object({
  text: z.string().optional(),
  data: z.json().optional(),
  raw: z.base64().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
});

const answer = z.object({
  error: z.string().optional(),
  status: z.string().optional(),
  note: z.string().optional(),
  reason: z.string().optional(),
  message: z.array(part).optional(),
  artifacts: z
    .array(
      z.object({
        artifactId: z.string(),
        name: z.string().optional(),
        description: z.string().optional(),
        parts: z.array(part),
      }),
    )
    .optional(),
});

/** What came of a call to a remote agent, for the caller. */
export interface HandedOn {
  readonly text: string;
  readonly artifacts: readonly Artifact[];
}

/** The words and artifacts in the result of a delegation, as words and artifacts of our own. */
export function handedOn(value: Json): HandedOn {
  const read = answer.safeParse(value);
  if (!read.success) return { text: 'The answer can’t be read.', artifacts: [] };
  const { artifacts = [], error, message = [], note, reason, status } = read.data;
  const said = message.flatMap(({ text }) => text ?? []).join('\n');
  const why = error ?? note ?? reason;
  return {
    text:
      [said, why].filter((words) => words !== undefined && words !== '').join(' ') ||
      `It is ${status ?? 'over'}.`,
    artifacts: artifacts.map(({ artifactId, description, name, parts }) => ({
      artifactId,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      parts: parts.flatMap(partOf),
    })),
  };
}

function partOf({
  data,
  filename,
  mediaType,
  raw,
  text,
  url,
}: z.output<typeof part>): readonly Part[] {
  const frame = {
    ...(mediaType !== undefined && { mediaType }),
    ...(filename !== undefined && { filename }),
  };
  if (text !== undefined) return [{ ...frame, text }];
  if (raw !== undefined) return [{ ...frame, raw: Buffer.from(raw, 'base64') }];
  if (url !== undefined) return [{ ...frame, url }];
  return data === undefined ? [] : [{ ...frame, data }];
}
