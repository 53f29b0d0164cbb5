import { allCollections, type CollectionShape } from '../domain/collections.ts';
import { Fault } from '../ports/faults.ts';

/** Where a collection is: the document that it belongs to ('' at the top), and its shape. */
export interface CollectionAddress {
  readonly parent: string;
  readonly shape: CollectionShape;
}

export interface DocumentAddress extends CollectionAddress {
  readonly id: string;
}

const shapes: ReadonlyMap<string, CollectionShape> = new Map(
  allCollections.map((shape) => [shape.name, shape]),
);
const ID_LIMIT = 1_500;
const PATH_LIMIT = 6 * 1024;

/**
 * Firestore's rules for names hold in every backend. Throws for what is no document of a known
 * collection.
 */
export function documentAddress(path: string): DocumentAddress {
  const end = path.lastIndexOf('/');
  const id = path.slice(end + 1);
  if (end < 0 || !isId(id) || path.length > PATH_LIMIT) throw badPath();
  return { ...collectionAddress(path.slice(0, end)), id };
}

export function collectionAddress(path: string): CollectionAddress {
  const end = path.lastIndexOf('/');
  const shape = shapes.get(path.slice(end + 1));
  if (shape === undefined) throw badPath();
  if (end < 0) return { parent: '', shape };
  const parent = path.slice(0, end);
  documentAddress(parent);
  return { parent, shape };
}

function isId(id: string): boolean {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) return false;
  return !/^__.*__$/.test(id) && (id.length <= ID_LIMIT / 3 || Buffer.byteLength(id) <= ID_LIMIT);
}

/** Says no more: a path can hold what a client sent. */
function badPath(): Fault {
  return new Fault('BadPath', 'stop', 'not the path of a document or collection of this store');
}
