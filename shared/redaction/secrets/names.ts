// The names that gitleaks' generic rule and GitHub's generic detection look for
// (https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns),
// in more languages.
/** Of what a person chose: any value may be one. For patterns with the flag `i`. */
export const PASSWORD_NAMES = [
  'password',
  'passwd',
  'passphrase',
  String.raw`(?<![A-Za-z])(?:pwd|pass(?:code)?)`,
  'passwort',
  'kennwort',
  'contraseña',
  'mot de passe',
  'senha',
  'hasło',
  'пароль',
  '密码',
  '密碼',
  'パスワード',
].join('|');

/** Of what a machine drew: only a value that looks it is one. */
export const KEY_NAMES = [
  'secret(?:[_-]?key(?:[_-]?base)?)?',
  'api[_-]?(?:key|secret|token)',
  'access[_-]?(?:key|token)',
  '(?:auth|private|signing|encryption|master|license)[_-]?key',
  'session[_-]?(?:id|key|token)',
  // A place in a list is called a token, too.
  '(?<!page[_-]?|continuation[_-]?|sync[_-]?|max[_-]?)token',
].join('|');
