export interface Action {
  readonly owner: string;
  readonly action: string;
}

/** Lines such as `Ada: order the lamps`, or `- Ada: order the lamps`. */
const LINE = /^\s*(?:[-*]\s+)?(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?):\s+(\S.*?)\s*$/u;

export function actionsIn(notes: string): readonly Action[] {
  return notes.split('\n').flatMap((line) => {
    const [, owner, action] = LINE.exec(line) ?? [];
    return owner === undefined || action === undefined ? [] : [{ owner, action }];
  });
}
