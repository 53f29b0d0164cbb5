export type Kind = 'email' | 'phone' | 'iban' | 'card' | 'secret';

/** Where something of this kind stands, in UTF-16 code units; the end is exclusive. */
export interface Finding {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

export type Finder = (text: string) => readonly Finding[];
