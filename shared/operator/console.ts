import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The console as the build made it: one page, and what it loads by the hash of its content. */
export interface ConsoleAssets {
  /** Changes with any byte of it. */
  readonly build: string;
  readonly page: string;
  /** By file name below `/console/assets/`. */
  readonly files: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * The page loads nothing but its own two files and calls nothing but this server; no script and no
 * style stands in it, and no text becomes markup.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const YEAR = 'public, max-age=31536000, immutable';

/** Serves the console's files from memory, packed once. */
export class ConsoleFiles {
  readonly build: string;
  readonly #assets: ConsoleAssets;
  readonly #packed = new Map<string, Uint8Array>();

  constructor(assets: ConsoleAssets) {
    this.build = assets.build;
    this.#assets = assets;
  }

  /** Answers a GET or HEAD below `/console`; false for a file that there is not. */
  serve(req: IncomingMessage, res: ServerResponse, path: string): boolean {
    const [, name] = /^\/console\/assets\/([^/]+)$/.exec(path) ?? [];
    if (name === undefined) {
      if (path.startsWith('/console/assets/')) return false;
      this.#send(req, res, 'text/html; charset=utf-8', 'no-cache', this.#assets.page);
      return true;
    }
    const { files } = this.#assets;
    const text = Object.hasOwn(files, name) ? files[name] : undefined;
    if (text === undefined) return false;
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    this.#send(req, res, type, YEAR, text);
    return true;
  }

  #send(
    req: IncomingMessage,
    res: ServerResponse,
    type: string,
    cacheControl: string,
    text: string,
  ): void {
    res.setHeader('Content-Type', type);
    res.setHeader('Cache-Control', cacheControl);
    res.setHeader('Content-Security-Policy', POLICY);
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    res.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
    res.setHeader('X-Frame-Options', 'DENY');
    res.setHeader('Vary', 'Accept-Encoding');
    const packs = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
    const bytes = packs ? this.#pack(text) : Buffer.from(text);
    if (packs) res.setHeader('Content-Encoding', 'gzip');
    res.setHeader('Content-Length', bytes.length);
    res.end(req.method === 'HEAD' ? undefined : bytes);
  }

  #pack(text: string): Uint8Array {
    const packed = this.#packed.get(text) ?? gzipSync(text, { level: 9 });
    this.#packed.set(text, packed);
    return packed;
  }
}
