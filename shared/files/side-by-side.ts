/**
 * Works on at most `width` items at a time, and answers in the order of the items. After an error
 * no further item is begun, and it is thrown when the work on the others has ended.
 */
export async function sideBySide<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of queue) {
      try {
        results[at] = await work(item);
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  if (errors.length > 0) throw errors[0];
  return results;
}
