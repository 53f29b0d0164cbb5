/** What one message asks for, line by line; a file's text follows its line to the end. */
export type Order =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string };

const WRITE = /^write (\S+)$/;
const DELETE = /^delete (\S+)$/;
const RENAME = /^rename ([A-Za-z_$][\w$]*) to ([A-Za-z_$][\w$]*)$/;

/** Undefined: these words are no orders. */
export function ordersIn(message: string): readonly Order[] | undefined {
  const orders: Order[] = [];
  const lines = message.split('\n');
  for (const [at, line] of lines.entries()) {
    const [, write] = WRITE.exec(line) ?? [];
    if (write !== undefined) {
      const text = lines.slice(at + 1).join('\n');
      return [
        ...orders,
        { kind: 'write', path: write, text: text.endsWith('\n') ? text : `${text}\n` },
      ];
    }
    const [, path] = DELETE.exec(line) ?? [];
    const [, from, to] = RENAME.exec(line) ?? [];
    if (path !== undefined) orders.push({ kind: 'delete', path });
    else if (from !== undefined && to !== undefined) orders.push({ kind: 'rename', from, to });
    else if (line.trim() !== '') return undefined;
  }
  return orders.length === 0 ? undefined : orders;
}
