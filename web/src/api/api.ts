export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes on when the page is left. */
  readonly keepalive?: boolean;
}

export interface Api {
  get<Body>(path: string, options?: CallOptions): Promise<Body>;
  /** As JSON; a blob is sent as what it is. */
  send<Body = void>(method: Method, path: string, body?: object, options?: CallOptions): Promise<Body>;
  /** An answer that is read as it comes: to what is sent, or of what is there already. */
  open(path: string, body: object | undefined, options?: CallOptions): Promise<Response>;
  /** As bytes that no browser takes for a page. */
  download(path: string): Promise<Blob>;
  upload<Body>(path: string, files: readonly File[], options: UploadOptions): Promise<Body>;
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** From 0 to 1, of the bytes. */
  readonly onProgress: (done: number) => void;
  /** What is said of the file beside it. */
  readonly fields?: Readonly<Record<string, string>>;
}
