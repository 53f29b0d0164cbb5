/** Stands in for what a real report would look up. */
export function report(subject: string, night: number): string {
  return `${subject}: night ${night}, nothing out of the ordinary.`;
}
