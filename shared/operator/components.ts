import { z } from 'zod';

/** The schemas that the API's description names. */
export const components = z.registry<{ readonly id: string }>();

export function component<T extends z.ZodType>(id: string, schema: T): T {
  components.add(schema, { id });
  return schema;
}
