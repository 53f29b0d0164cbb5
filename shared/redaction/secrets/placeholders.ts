const MARKER = /^\[(?:secret|email|phone|iban|card)\]/;
const VARIABLE = /^(?:[$%<{[]|\\?\$|process\.env|os\.environ|env\.|vault:|op:\/\/)/i;
const FILLER = /^(?:[*•x.\-_]+|(?:your|my|enter|example|dummy|placeholder|changeme).*)$/i;
const WORD =
  /^(?:null|nil|none|true|false|undefined|string|text|required|optional|hidden|redacted|masked|password|passwort|secret|token)$/i;

/** What stands where a secret would: a variable, a filler, a type's name, or our own marker. */
export function isPlaceholder(value: string): boolean {
  return [MARKER, VARIABLE, FILLER, WORD].some((each) => each.test(value));
}
