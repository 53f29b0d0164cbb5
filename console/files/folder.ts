/** A folder of files, as a list of paths has it. */
export interface Folder<F> {
  /** `a/b`; empty for all of it. */
  readonly path: string;
  readonly folders: readonly Folder<F>[];
  readonly files: readonly F[];
  /** Files in it and below. */
  readonly count: number;
}

/** Folders of files that are sorted by path. */
export function folderOf<F extends { readonly path: string }>(
  files: readonly F[],
  path = '',
): Folder<F> {
  const depth = path === '' ? 0 : path.split('/').length;
  const own = files.filter((file) => file.path.split('/').length === depth + 1);
  const below = Map.groupBy(
    files.filter((file) => file.path.split('/').length > depth + 1),
    (file) =>
      file.path
        .split('/')
        .slice(0, depth + 1)
        .join('/'),
  );
  return {
    path,
    folders: [...below].map(([name, all]) => folderOf(all, name)),
    files: own,
    count: files.length,
  };
}

export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
