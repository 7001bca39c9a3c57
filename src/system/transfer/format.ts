/** What the lines of the file are. docs/organisation-export.schema.json describes them for others. */

export const formatName = 'gatehouse-organisation'
/** Grows when a former release could not read the file, or would misunderstand it. */
export const formatVersion = 1

/** The first line. */
export interface Header {
  format: typeof formatName
  version: number
  /** Of this file. */
  export: string
  exportedAt: string
  /** That wrote it. */
  release: string
  /** The last one of the database that it was read from. */
  migration: string
  publicUrl: string
  organisation: { id: string; slug: string; name: string }
  /** Whether the lines have secrets, and the thumbprint (RFC 7638) of the key that they are encrypted for. */
  recipient: string | null
  /** That its roles, but for the owner's, and API keys name: their ids differ between installations. */
  permissions: ExportedPermission[]
  /** Tables that are not in it, and why. */
  leftOut: Record<string, string>
}

export interface ExportedPermission {
  id: string
  slug: string
  name: string
  description: string
  category: string
}

export type FileRow = Record<string, unknown> & { withheld?: string[] }

/** A line of rows. */
export interface Batch {
  table: string
  rows: FileRow[]
  /** A JWE, of {@link Secrets}. */
  secrets?: string
}

/** What a JWE contains. What it belongs to is in it, so that it cannot be moved to another place. */
export interface Secrets {
  export: string
  /** Of the line that it stands in. */
  line: number
  table: string
  /** Of each row, in their order. */
  rows: SealedRow[]
}

/** The secrets of a row, and the row that they belong to: its key, in the order of the columns. */
export interface SealedRow {
  key: unknown[]
  secrets: Record<string, string>
}

/** The last line. */
export interface End {
  end: {
    /** How many lines come before this one. */
    lines: number
    rows: Record<string, number>
    /** Of all bytes before this line, hexadecimal. */
    sha256: string
    /** A JWS (RFC 7515) of {@link SignedExport} in compact form. */
    jws?: string
  }
}

/** What the issuer that wrote the file has signed. */
export interface SignedExport {
  iss: string
  export: string
  organisation: string
  lines: number
  sha256: string
}

/** What a secret is called in the file. One that is encrypted in the database has its plain text there, inside the JWE. */
export const secretName = (field: string): string => field.replace(/Encrypted$/, '')

export const isEncrypted = (field: string): boolean => field.endsWith('Encrypted')
