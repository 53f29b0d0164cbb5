/** A server can't be asked; the message says why, in words of ours for a log. */
export class ServerAway extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerAway';
  }
}
