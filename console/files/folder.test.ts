import { expect, it } from 'vitest';
import { type Folder, folderOf, nameIn } from './folder.ts';

const listed = ({ count, files, folders, path }: Folder<{ readonly path: string }>): unknown => ({
  path,
  count,
  files: files.map((file) => nameIn(file.path)),
  folders: folders.map(listed),
});

it('a list of paths is folders in folders', () => {
  const paths = ['a', 'b/c', 'b/d/e', 'b/d/f', 'g'].map((path) => ({ path }));
  expect(listed(folderOf(paths))).toEqual({
    path: '',
    count: 5,
    files: ['a', 'g'],
    folders: [
      {
        path: 'b',
        count: 3,
        files: ['c'],
        folders: [{ path: 'b/d', count: 2, files: ['e', 'f'], folders: [] }],
      },
    ],
  });
});
