// userinfo of RFC 3986 section 3.2.1, "user:password@"; only the password goes. It may hold an
// unescaped @, so the last one counts.
import { matching } from '../matching.ts';
import { isPlaceholder } from './placeholders.ts';

export const findUrlPasswords = matching(
  'secret',
  /:\/\/[^\s/?#"'<>@:]{0,128}:(?<value>[^\s/?#"'<>]{1,256})@(?=[A-Za-z0-9[_-])/dg,
  ({ value }) => !isPlaceholder(value),
);
