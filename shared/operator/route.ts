import type { Operation } from './operation.ts';

export type Route =
  | {
      readonly kind: 'found';
      readonly operation: Operation;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'method'; readonly allow: string }
  | { readonly kind: 'none' };

/** The operation at this path. HEAD is answered as GET. */
export function findRoute(operations: readonly Operation[], method: string, path: string): Route {
  const here = operations.flatMap((operation) => {
    const params = match(operation.path, path);
    return params === undefined ? [] : [{ kind: 'found' as const, operation, params }];
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = here.find(({ operation }) => operation.method === wanted);
  if (found !== undefined) return found;
  if (here.length === 0) return { kind: 'none' };
  return { kind: 'method', allow: here.map(({ operation }) => operation.method).join(', ') };
}

function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    const value = given[at] ?? '';
    if (name === undefined ? segment !== value : value === '') return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
}
