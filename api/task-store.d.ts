export { BadTaskError, CallContext, ContextBusyError, GcsPushNotificationStore, GcsPushNotificationStoreOptions, GcsTaskStore, GcsTaskStoreOptions, RebuiltIndex, TaskIndex, TaskTerminalError, createFirestoreBackend, createGcsBlobs, createKmsSealer, openFolderBlobs, openKeyFile, openSqliteBackend };

// uses @a2a-js/sdk/errors: RequestMalformedError

// uses @a2a-js/sdk/errors: UnsupportedOperationError

// uses @a2a-js/sdk/server: PushNotificationStore

// uses @a2a-js/sdk/server: StoredPushNotificationConfig

// uses @a2a-js/sdk/server: TaskStore

// uses @a2a-js/sdk: ListTasksRequest

// uses @a2a-js/sdk: ListTasksResponse

// uses @a2a-js/sdk: Task

// uses @a2a-js/sdk: TaskPushNotificationConfig

// uses zod: z

// -- shared/domain/brand
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & {
    readonly [brand]: Name;
};
export type Millis = number;

// -- shared/domain/trace-context
export type Traceparent = Brand<string, 'Traceparent'>;

// -- shared/embedded/folder-blobs
export interface FolderBlobsOptions {
    readonly root: string;
    readonly synchronous?: 'normal' | 'full';
}
export interface FolderBlobs extends Blobs {
    close(): Promise<void>;
}
export declare function openFolderBlobs({ root, synchronous }: FolderBlobsOptions): FolderBlobs;

// -- shared/embedded/key-file
export declare function openKeyFile(file: string, { make }?: {
    make?: boolean | undefined;
}): Sealer;

// -- shared/embedded/sqlite-backend
export declare function openSqliteBackend(options: SqliteOptions): Backend;

// -- shared/embedded/sqlite-file
export interface SqliteOptions {
    readonly file: string;
    readonly synchronous?: 'normal' | 'full';
    readonly busyTimeout?: number;
    readonly readOnly?: boolean;
}

// -- shared/gcp/firestore/backend
export interface FirestoreOptions {
    readonly projectId: string;
    readonly databaseId?: string;
    readonly deadline?: number;
    readonly keepalive?: Keepalive;
}
export declare function createFirestoreBackend(options: FirestoreOptions): Backend;

// -- shared/gcp/grpc-channel
export interface Keepalive {
    readonly after: Millis;
    readonly wait: Millis;
}

// -- shared/gcp/kms/sealer
export interface KmsSealerOptions {
    readonly keyName: string;
    readonly formerKeyNames?: readonly string[];
    readonly endpoint?: string;
    readonly deadline?: number;
}
export declare function createKmsSealer(options: KmsSealerOptions): Sealer;

// -- shared/gcp/storage/blobs
export interface GcsBlobsOptions extends BucketOptions {
    readonly deadline?: number;
}
export declare function createGcsBlobs(options: GcsBlobsOptions): Blobs;

// -- shared/gcp/storage/bucket-options
export interface BucketOptions {
    readonly bucket: string;
    readonly projectId?: string;
    readonly endpoint?: string;
}

// -- shared/ports/backend
export type Value = null | boolean | number | string | Uint8Array | readonly Value[] | {
    readonly [key: string]: Value;
};
export type Fields = {
    readonly [key: string]: Value;
};
export type Version = string & Record<never, never>;
export interface Row {
    readonly path: string;
    readonly fields: Fields;
    readonly version: Version;
}
export type Write = 
{
    readonly path: string;
    readonly fields: Fields;
    readonly expect: Version | 'absent' | 'any';
}
 | {
    readonly path: string;
    readonly fields: undefined;
    readonly expect: Version | 'any';
};
export interface Check {
    readonly path: string;
    readonly expect: Version | 'absent';
}
export interface Filter {
    readonly field: string;
    readonly equals: string | number | boolean;
}
export interface RowQuery {
    readonly collection: string;
    readonly filters: readonly Filter[];
    readonly order: {
        readonly field: string;
        readonly direction: 'asc' | 'desc';
    } | undefined;
    readonly from?: {
        readonly value: string | number;
        readonly inclusive: boolean;
    };
    readonly to?: {
        readonly value: string | number;
        readonly inclusive: boolean;
    };
    readonly limit: number;
}
export interface Position {
    readonly value: string | number | undefined;
    readonly id: string;
}
export interface Committed {
    readonly versions: readonly (Version | undefined)[];
}
export interface Backend {
    read(paths: readonly string[]): Promise<readonly (Row | undefined)[]>;
    commit(checks: readonly Check[], writes: readonly Write[]): Promise<Committed | 'conflict'>;
    query(query: RowQuery, after?: Position): Promise<readonly Row[]>;
    count(query: RowQuery): Promise<number>;
    follow(query: RowQuery, after: Position | undefined, signal: AbortSignal): AsyncIterable<readonly Row[]>;
    watch(path: string, signal: AbortSignal): AsyncIterable<Row | undefined>;
    close(): Promise<void>;
}

// -- shared/ports/blobs
export type Generation = string & Record<never, never>;
export interface Blob {
    readonly body: Uint8Array;
    readonly contentType: string;
    readonly generation: Generation;
    readonly metadata: Readonly<Record<string, string>>;
}
export interface ByteRange {
    readonly offset: number;
    readonly length?: number;
}
export interface BlobStream {
    readonly size: number;
    readonly body: AsyncIterable<Uint8Array>;
}
export interface BlobWrite {
    readonly contentType: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly small?: boolean;
    readonly expect: Generation | 'absent';
}
export type BlobWritten = {
    readonly generation: Generation;
} | 'stale';
export interface BlobEntry {
    readonly name: string;
    readonly size: number;
    readonly createdAt: Millis;
}
export interface Blobs {
    get(name: string): Promise<Blob | undefined>;
    getStream(name: string, range?: ByteRange): Promise<BlobStream | undefined>;
    put(name: string, body: Uint8Array, write: BlobWrite): Promise<BlobWritten>;
    putStream(name: string, body: AsyncIterable<Uint8Array>, write: BlobWrite): Promise<BlobWritten>;
    delete(name: string): Promise<void>;
    list(prefix: string, limit: number, after?: string): Promise<readonly BlobEntry[]>;
}

// -- shared/ports/ids
export interface Ids {
    uuid(): string;
    token(): string;
    bytes(count: number): Uint8Array;
    random(): number;
}

// -- shared/ports/log
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';
export declare class Thrown {
    readonly error: unknown;
    constructor(error: unknown);
    toJSON(): undefined;
}
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined | Thrown>>;
export interface Log {
    write(level: LogLevel, event: string, fields?: LogFields, trace?: Traceparent): void;
}

// -- shared/ports/sealer
export interface DataKey {
    readonly plain: Uint8Array;
    readonly wrapped: Uint8Array;
}
export type Rewrapping = {
    readonly kind: 'current' | 'old';
} | {
    readonly kind: 'rewrapped';
    readonly wrapped: Uint8Array;
};
export interface Sealer {
    keyNames(): Promise<readonly string[]>;
    newKey(owner: string): Promise<DataKey>;
    unwrap(wrapped: Uint8Array, owner: string): Promise<Uint8Array>;
    rewrap(wrapped: Uint8Array, owner: string, atLeast?: number): Promise<Rewrapping>;
}

// -- shared/task-store/errors
export declare class ContextBusyError extends UnsupportedOperationError {
    constructor(contextId: string, activeTaskId?: string);
}
export declare class TaskTerminalError extends UnsupportedOperationError {
    constructor(taskId: string, state: string);
}
export declare class BadTaskError extends RequestMalformedError {
    constructor(field: string, why: string);
}

// -- shared/task-store/gcs-push-notification-store
export interface GcsPushNotificationStoreOptions extends LayoutOptions {
    readonly blobs: Blobs;
    readonly sealer?: Sealer;
    readonly ids?: Ids;
    readonly log?: Log;
}
export declare class GcsPushNotificationStore implements PushNotificationStore {
    #private;
    constructor(options: GcsPushNotificationStoreOptions);
    save(taskId: string, context: CallContext, config: TaskPushNotificationConfig): Promise<void>;
    load(taskId: string, context: CallContext): Promise<TaskPushNotificationConfig[]>;
    loadWithMetadata(taskId: string, context: CallContext): Promise<StoredPushNotificationConfig[]>;
    delete(taskId: string, context: CallContext, configId?: string): Promise<void>;
}

// -- shared/task-store/gcs-task-store
export interface GcsTaskStoreOptions extends LayoutOptions {
    readonly blobs: Blobs;
    readonly contexts?: 'linear' | 'parallel';
    readonly index?: TaskIndex;
    readonly ids?: Ids;
    readonly log?: Log;
}
export declare class GcsTaskStore implements TaskStore {
    #private;
    constructor(options: GcsTaskStoreOptions);
    save(task: Task, context: CallContext): Promise<void>;
    load(taskId: string, context: CallContext): Promise<Task | undefined>;
    list(params: ListTasksRequest, context: CallContext): Promise<ListTasksResponse>;
    rebuildIndex(): Promise<RebuiltIndex>;
    delete(taskId: string, context: CallContext): Promise<void>;
}

// -- shared/task-store/layout
export interface CallContext {
    readonly tenant: string | undefined;
    readonly user: {
        readonly isAuthenticated: boolean;
        readonly userName: string;
    } | undefined;
    readonly requestedVersion: string;
}
export interface LayoutOptions {
    ownerResolver?(context: CallContext): string;
    readonly prefix?: string;
}
export interface TaskPlace {
    readonly taskId: string;
    readonly contextId: string;
    readonly pointer: string;
    readonly task: string;
    readonly folder: string;
    readonly scope: Scope;
}
export interface Scope {
    readonly prefix: string;
}

// -- shared/task-store/page-token
export interface ListPlace {
    readonly time: number;
    readonly id: string;
}

// -- shared/task-store/rebuild-index
export interface RebuiltIndex {
    readonly tasks: number;
    readonly removed: number;
}

// -- shared/task-store/task-index
export interface IndexedTask extends ListPlace {
    readonly contextId: string;
}
export interface IndexQuery {
    readonly contextId?: string;
    readonly state?: string;
    readonly after?: Millis;
}
type IndexBackend = Pick<Backend, 'read' | 'commit' | 'query' | 'count'>;
export declare class TaskIndex {
    #private;
    constructor(backend: IndexBackend);
    record(place: TaskPlace, task: TaskJson, revision: number): Promise<void>;
    forget(scope: Scope, taskId: string): Promise<void>;
    page(scope: Scope, query: IndexQuery, limit: number, after: ListPlace | undefined): Promise<readonly IndexedTask[]>;
    count(scope: Scope, query: IndexQuery): Promise<number>;
    all(prefix: string): AsyncIterable<readonly (IndexedTask & {
        readonly scope: Scope;
    })[]>;
}

// -- shared/task-store/task-json
declare const status: z.ZodObject<{
    state: z.ZodOptional<z.ZodString>;
    timestamp: z.ZodOptional<z.ZodString>;
}, z.core.$loose>;
declare const taskJson: z.ZodObject<{
    id: z.ZodString;
    contextId: z.ZodString;
    status: z.ZodOptional<z.ZodObject<{
        state: z.ZodOptional<z.ZodString>;
        timestamp: z.ZodOptional<z.ZodString>;
    }, z.core.$loose>>;
    artifacts: z.ZodOptional<z.ZodArray<z.ZodObject<{
        artifactId: z.ZodOptional<z.ZodString>;
        parts: z.ZodOptional<z.ZodArray<z.ZodUnknown>>;
    }, z.core.$loose>>>;
    history: z.ZodOptional<z.ZodArray<z.ZodObject<{
        messageId: z.ZodOptional<z.ZodString>;
        role: z.ZodOptional<z.ZodString>;
    }, z.core.$loose>>>;
    metadata: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
}, z.core.$loose>;
export type TaskJson = z.infer<typeof taskJson>;

