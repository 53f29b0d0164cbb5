export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** More comparisons than these are not made: what differs is then shown as a whole. */
const MOST = 1_000_000;

/** What became of a text, line by line, by the longest common subsequence of lines. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const same = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const removed = old.map((text): DiffLine => ({ kind: 'removed', text }));
  const added = now.map((text): DiffLine => ({ kind: 'added', text }));
  if (old.length * now.length > MOST) return [...removed, ...added];
  const width = now.length + 1;
  /** How long the longest common rest of both is, from each pair of lines on. */
  const rest = new Uint32Array((old.length + 1) * width);
  const at = (a: number, b: number): number => rest[a * width + b] ?? 0;
  for (let a = old.length - 1; a >= 0; a -= 1)
    for (let b = now.length - 1; b >= 0; b -= 1)
      rest[a * width + b] =
        old[a] === now[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  const lines: DiffLine[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < now.length) {
    const [was, is] = [old[a], now[b]];
    if (was !== undefined && was === is) {
      lines.push({ kind: 'same', text: was });
      a += 1;
      b += 1;
    } else if (was !== undefined && (is === undefined || at(a + 1, b) >= at(a, b + 1))) {
      lines.push({ kind: 'removed', text: was });
      a += 1;
    } else if (is !== undefined) {
      lines.push({ kind: 'added', text: is });
      b += 1;
    }
  }
  return lines;
}
