/**
 * Fetches a document from a URL of the configuration, with bounds on its size and on the time.
 * Throws for everything but one that is JSON, redirects included.
 */
export type FetchJson = (url: string) => Promise<unknown>;
