/** Thrown to an agent that goes on after its segment is over; it has nothing more to say to anybody. */
export class SegmentOver extends Error {
  constructor(reason: unknown) {
    super(`this segment is over: ${String(reason)}`);
    this.name = 'SegmentOver';
  }
}
