/** The installation lacks what a declaration names; the message says what, in words for a log. */
export class NotConfigured extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotConfigured';
  }
}
