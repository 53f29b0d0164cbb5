import type { Millis } from '../../domain/brand.ts';
import { isFault, Unavailable } from '../../ports/faults.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { repeatedCall } from '../repeated-call.ts';
import { readResponse, readRefusal } from './response.ts';
import { type Authorize, openAuthorization } from './authorization.ts';
import { batchesOf, rowOf } from './batches.ts';
import { DEFAULT_INFO_TYPES, type Likelihood } from './info-types.ts';

export interface DlpOptions {
  readonly project: string;
  /** Where texts are inspected: a region, `eu`, `us` or `global`. */
  readonly location: string;
  readonly infoTypes?: readonly string[];
  readonly minLikelihood?: Likelihood;
  /**
   * Another address of the service: `https://dlp.<region>.rep.googleapis.com`, or by http an
   * emulator, without credentials.
   */
  readonly endpoint?: string;
  /** Milliseconds for one request with its repetitions. */
  readonly deadline?: Millis;
}

const WHAT = 'Sensitive Data Protection';

/**
 * Google's Sensitive Data Protection
 * (https://cloud.google.com/sensitive-data-protection/docs/reference/rest/v2/projects.locations.content/deidentify):
 * a table with one text a row, each finding replaced by its kind. Text that was not inspected is
 * never handed out: any failure is Unavailable, and a text of more than 480 kB is TooLarge.
 */
export function createDlpRedactor(options: DlpOptions): Redactor {
  const { project, location, endpoint = 'https://dlp.googleapis.com', deadline = 10_000 } = options;
  const parent = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  const url = `${endpoint}/v2/${parent}/content:deidentify`;
  const authorize: Authorize = url.startsWith('https:') ? openAuthorization(url) : async () => ({});

  async function ask(batch: readonly string[]): Promise<readonly string[]> {
    const body = JSON.stringify(requestFor(batch, options));
    const answer = await repeatedCall({ what: WHAT, deadline, faultOf }, (allowed) =>
      post(url, authorize, body, allowed),
    );
    if (answer instanceof Error) throw new Unavailable(WHAT, answer);
    const refusal = answer.ok ? undefined : readRefusal(answer.body);
    const reading = refusal === undefined ? readResponse(answer.body, batch.length) : 'no answer';
    if (typeof reading !== 'string') return reading;
    const tooMany = reading === 'too many' || refusal?.tooMany === true;
    if (tooMany && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      return [...(await ask(batch.slice(0, middle))), ...(await ask(batch.slice(middle)))];
    }
    const why = tooMany ? 'too many findings' : (refusal?.status ?? 'not one text for each');
    throw new Unavailable(WHAT, new Error(`${answer.status}: ${why}`));
  }

  return {
    async redact(texts) {
      // Nothing to find in a text without characters. Half a surrogate pair is no text for the
      // service.
      const asked = texts.filter((text) => text !== '').map((text) => text.toWellFormed());
      const answers: string[] = [];
      for (const batch of batchesOf(asked)) answers.push(...(await ask(batch)));
      const next = answers.values();
      return texts.map((text) => (text === '' ? '' : taken(next.next())));
    },
  };
}

function taken(result: IteratorResult<string, unknown>): string {
  if (result.done === true) throw new Unavailable(WHAT, new Error('an answer is missing'));
  return result.value;
}

function requestFor(batch: readonly string[], { infoTypes, minLikelihood }: DlpOptions) {
  const names = infoTypes ?? DEFAULT_INFO_TYPES;
  return {
    item: { table: { headers: [{ name: 'text' }], rows: batch.map(rowOf) } },
    inspectConfig: {
      infoTypes: names.map((name) => ({ name })),
      minLikelihood: minLikelihood ?? 'POSSIBLE',
    },
    deidentifyConfig: {
      infoTypeTransformations: {
        transformations: [{ primitiveTransformation: { replaceWithInfoTypeConfig: {} } }],
      },
    },
  };
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** Throws only for what may be asked again at once: 429 and 503. */
async function post(
  url: string,
  authorize: Authorize,
  body: string,
  deadline: number,
): Promise<Answer | Error> {
  try {
    const headers = { ...(await authorize()), 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(deadline);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    const { ok, status } = response;
    if (status === 429 || status === 503) {
      await response.body?.cancel();
      throw new Unavailable(WHAT, new Error(`status ${status}`));
    }
    const answer: unknown = await response.json().catch(() => undefined);
    return { ok, status, body: answer };
  } catch (error) {
    if (isFault(error)) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

function faultOf(error: unknown) {
  return isFault(error) ? error : new Unavailable(WHAT, error);
}
