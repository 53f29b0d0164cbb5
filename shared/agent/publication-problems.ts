import type { PublicationProfile } from '../app/agents.ts';
import { CEILINGS, isCeiling } from '../domain/ceiling.ts';

/** What is wrong with a publication, in words for the author; empty if nothing. */
export function publicationProblems(publication: PublicationProfile = {}): readonly string[] {
  const { task, provider, archive, archiveInterval, decisions, trail } = publication;
  const wrong = [
    ...(task === undefined || isCeiling(task) ? [] : ['publication.task']),
    ...(provider === undefined || isCeiling(provider) ? [] : ['publication.provider']),
  ].map((field) => `${field} must be one of ${CEILINGS.join(', ')}.`);
  if (archive !== undefined && !['standard', 'sealed', 'off'].includes(archive)) {
    wrong.push('publication.archive must be one of standard, sealed, off.');
  }
  if (archiveInterval !== undefined && !isInterval(archiveInterval)) {
    wrong.push('publication.archiveInterval must be 1000 to 86400000 milliseconds.');
  }
  if (trail !== undefined && !isSpan(trail)) {
    wrong.push('publication.trail must be 0 to 34560000000 milliseconds (400 days).');
  }
  if (decisions !== undefined && !areSwitches(decisions)) {
    wrong.push('publication.decisions holds owner and fourEyes, each true or false.');
  }
  return wrong;
}

function isInterval(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1_000 && Number(value) <= 86_400_000;
}

function isSpan(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 400 * 86_400_000;
}

function areSwitches(decisions: unknown): boolean {
  if (typeof decisions !== 'object' || decisions === null) return false;
  return Object.entries(decisions).every(
    ([key, value]) =>
      ['owner', 'fourEyes'].includes(key) && ['boolean', 'undefined'].includes(typeof value),
  );
}
