/** The format of the file's lines. docs/organisation-export.schema.json describes them for other programs. */

export const formatName = 'gatehouse-organisation'
/** The version, which is incremented when an earlier release could not read the file, or would misunderstand it. */
export const formatVersion = 1

/** The first line. */
export interface Header {
  format: typeof formatName
  version: number
  /** The id of this file. */
  export: string
  exportedAt: string
  /** The release that wrote the file. */
  release: string
  /** The last migration of the source database. */
  migration: string
  publicUrl: string
  organisation: { id: string; slug: string; name: string }
  /** The thumbprint (RFC 7638) of the key for which the secrets are encrypted; null when the lines contain no secrets. */
  recipient: string | null
  /** The permissions that its roles, except the owner's, and API keys name: their ids differ between installations. */
  permissions: ExportedPermission[]
  /** Tables that the file leaves out, with the reason. */
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
  /** A JWE with {@link Secrets}. */
  secrets?: string
}

/** The content of a JWE. It contains its place in the file, so that it cannot be moved to another one. */
export interface Secrets {
  export: string
  /** The number of the line that contains it. */
  line: number
  table: string
  /** The secrets of each row, in their order. */
  rows: SealedRow[]
}

/** The secrets of a row, and the row's key in the order of the columns. */
export interface SealedRow {
  key: unknown[]
  secrets: Record<string, string>
}

/** The last line. */
export interface End {
  end: {
    /** The number of lines before this one. */
    lines: number
    rows: Record<string, number>
    /** The hash of all bytes before this line, hexadecimal. */
    sha256: string
    /** A JWS (RFC 7515) of {@link SignedExport} in compact form. */
    jws?: string
  }
}

/** The payload that the issuer of the file has signed. */
export interface SignedExport {
  iss: string
  export: string
  organisation: string
  lines: number
  sha256: string
}

/** The name of a secret in the file. For a secret that is encrypted in the database, the file has its plain text inside the JWE. */
export const secretName = (field: string): string => field.replace(/Encrypted$/, '')

export const isEncrypted = (field: string): boolean => field.endsWith('Encrypted')
