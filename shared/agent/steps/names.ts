/** As a name stands in lists and in the trail. */
export const NAME = /^[A-Za-z][A-Za-z0-9 ._-]{0,63}$/;
export const NAME_RULE =
  'a name begins with a letter, and has at most 64 letters, digits, spaces, dots, - and _';
