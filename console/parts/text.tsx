import { piecesOf } from './text-marks.ts';

/**
 * Text of others as text: markup stays text, and what could hide, reorder or end what stands beside
 * it is shown by name.
 */
export function Text({ children }: { readonly children: string }) {
  return (
    <bdi class="text">
      {piecesOf(children).map((piece) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span class="mark" title={`a character that is not shown: ${piece.name}`}>
            {piece.name}
          </span>
        ),
      )}
    </bdi>
  );
}

/** Text of several lines. It scrolls in itself, by keyboard, too. */
export function Block({ children, label }: { readonly children: string; readonly label: string }) {
  return (
    <pre class="block" tabIndex={0} aria-label={label}>
      <Text>{children}</Text>
    </pre>
  );
}

/** A value as JSON. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return <Block label={label}>{JSON.stringify(value, undefined, 2) ?? ''}</Block>;
}
