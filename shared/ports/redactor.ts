/**
 * Removes personal data and secrets from texts; the answer has one text for each, in order. Throws
 * Unavailable.
 */
export interface Redactor {
  redact(texts: readonly string[]): Promise<readonly string[]>;
}
