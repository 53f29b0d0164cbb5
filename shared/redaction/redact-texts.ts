import { findCards } from './cards.ts';
import { findEmails } from './emails.ts';
import type { Finding } from './finding.ts';
import { findIbans } from './ibans.ts';
import { mergeFindings } from './merge-findings.ts';
import { loadCallingCodes } from './phones/calling-codes.ts';
import { findPhones } from './phones/phones.ts';
import { findSecrets } from './secrets/secrets.ts';

/** Each text with a marker in place of what was found. */
export async function redactTexts(texts: readonly string[]): Promise<readonly string[]> {
  const find = await openFinder();
  return texts.map((text) => redactText(text, find));
}

// What a finding kept from being found (a number right behind another one) is found beside its
// marker, so one more look follows.
const LOOKS = 4;

function redactText(text: string, find: Find): string {
  let redacted = text;
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const findings = find(redacted);
    if (findings.length === 0) break;
    redacted = replace(redacted, findings);
  }
  return redacted;
}

type Find = (text: string) => readonly Finding[];

/** Finds without replacing, for the report on precision and recall. */
export async function openFinder(): Promise<Find> {
  const callingCodes = await loadCallingCodes();
  return (text) =>
    mergeFindings([
      ...findEmails(text),
      ...findPhones(text, callingCodes),
      ...findIbans(text),
      ...findCards(text),
      ...findSecrets(text),
    ]);
}

function replace(text: string, findings: readonly Finding[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { kind, start, end } of findings) {
    pieces.push(text.slice(done, start), `[${kind}]`);
    done = end;
  }
  return pieces.join('') + text.slice(done);
}
