/** Apart from the client, whose types are there only where it is installed. */
export interface BucketOptions {
  readonly bucket: string;
  readonly projectId?: string;
  /** Another address of the service, for an emulator; then no credentials are looked for. */
  readonly endpoint?: string;
}
