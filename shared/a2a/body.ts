import type { Request, Response } from 'express';
import { type BodyOptions, readJson as read } from '../http/read-json.ts';

/** Reads the body as JSON; undefined when there is none. */
export async function readJson(
  req: Request,
  res: Response,
  options: BodyOptions,
): Promise<unknown> {
  return (await read(req, res, options))?.value;
}
