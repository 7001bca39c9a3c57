/** What errors of the operating system, the network and TLS mean, for people. */

const ofRights = 'the user of this process may not use it'
const withoutAnswer = 'it does not answer'
const closed = 'it closed the connection'
const untrusted = 'this machine does not trust who issued its certificate'
const withoutName = 'no name server knows its host'

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it lies below a file',
  EEXIST: 'it exists already',
  EACCES: ofRights,
  EPERM: ofRights,
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full for the user of this process',
  EFBIG: 'it is larger than its disk or the limit of this process allows',
  EIO: 'its disk fails',
  ELOOP: 'it is a link that leads back to itself',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ENOTFOUND: withoutName,
  EAI_AGAIN: withoutName,
  ETIMEDOUT: withoutAnswer,
  EHOSTUNREACH: withoutAnswer,
  ENETUNREACH: withoutAnswer,
  UND_ERR_CONNECT_TIMEOUT: withoutAnswer,
  UND_ERR_HEADERS_TIMEOUT: withoutAnswer,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
}

/** The reason of an error or of its cause, with the code: `there is no such file (ENOENT)`. Undefined for an error of another kind. */
export function reasonOfSystem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', cause } = error as NodeJS.ErrnoException
  const reason = Object.hasOwn(reasons, code) ? `${reasons[code]} (${code})` : undefined
  return reason ?? reasonOfSystem(cause)
}

/** The code of an error, or of its cause. */
export function codeOfSystem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as NodeJS.ErrnoException
  // A request that was aborted has a number.
  return typeof code === 'string' ? code : codeOfSystem(cause)
}

/** Whether a code of Node is of a certificate that is refused, such as `CERT_HAS_EXPIRED`. */
export const isOfCertificate = (code: string | undefined): boolean => code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)

/** The reason why something cannot be read or reached. For an error of another kind, its message in one line. */
export const whyUnusable = (error: unknown): string => reasonOfSystem(error) ?? oneLine(error)

/** The reason why a file cannot be written: there, what is missing is the folder. */
export const whyUnwritable = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder (ENOENT)' : whyUnusable(error)

/** What an error that was not expected says: the file or address, and the reason. Undefined for an error of another kind. */
export function lineOfSystem(error: unknown): string | undefined {
  const reason = reasonOfSystem(error)
  if (reason === undefined) return undefined
  const { path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  return `${path ?? (address === undefined ? 'A file or a connection' : `${address}:${port}`)} cannot be used: ${reason}`
}

const oneLine = (error: unknown): string => {
  const message = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name) : String(error)
  return message.trim().replaceAll(/\s*\n\s*/g, ' ')
}
