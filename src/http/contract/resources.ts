/** What the routes of rubrics and of somebody's own files answer with. */
export interface Rubric {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The owner's e-mail. */
  readonly owner: string;
  readonly organization_id: number;
  readonly is_public: boolean;
  /** As its author keeps it: what we do not know is passed on. */
  readonly rubric_data: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly may_edit: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface StoredFile {
  readonly path: string;
  readonly size: number;
  /** By its name. */
  readonly type: string;
  readonly updated_at: string;
}

export interface Folder {
  readonly path: string;
  readonly type: 'folder';
  /** All that lie below it. */
  readonly files: number;
}
