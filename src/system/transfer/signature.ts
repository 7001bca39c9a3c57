import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import { signJwt } from '../../tokens/jwt.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import type { End, Header, SignedExport } from './format.ts'

/** The issuer whose signature an import trusts. */
export interface Trust {
  issuer: string
  /** Fetches its published keys (RFC 7517 §5). */
  keys(): Promise<{ keys: { kid?: string }[] }>
}

/** Signs an export. The type prevents its use as a token, and it has no audience, subject or expiry. */
export const signExport = async (signingKeys: Pick<SigningKeys, 'signer'>, signed: SignedExport): Promise<string> =>
  signJwt(await signingKeys.signer('EdDSA'), 'organisation-export+jwt', signed)

/** The reason why a file is not what the trusted issuer has written; undefined when it is. */
export async function whyNotSigned(header: Header, { jws, lines, sha256 }: End['end'], trust: Trust): Promise<string | undefined> {
  if (jws === undefined) return 'the file has no signature'
  const { signed, kid } = partsOf(jws)
  if (!signed || kid === undefined) return 'the signature is not one of an export'
  if (signed.iss !== trust.issuer) return `the file is signed by ${signed.iss}, and --trust names ${trust.issuer}`
  const { keys } = await trust.keys()
  const key = keys.find((one) => one.kid === kid)
  if (!key) return `${trust.issuer} does not publish the key ${kid} that has signed the file`
  const isValid = await compactVerify(jws, await importJWK(key, 'EdDSA'), { algorithms: ['EdDSA'] }).then(
    () => true,
    () => false,
  )
  if (!isValid) return 'the signature is wrong'
  const isOfFile =
    signed.export === header.export && signed.organisation === header.organisation.id && signed.lines === lines && signed.sha256 === sha256
  return isOfFile ? undefined : 'the signature is of another file'
}

function partsOf(jws: string): { signed?: SignedExport; kid?: string | undefined } {
  try {
    const { typ, kid } = decodeProtectedHeader(jws)
    if (typ !== 'organisation-export+jwt') return {}
    return { signed: JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as SignedExport, kid }
  } catch {
    return {}
  }
}
