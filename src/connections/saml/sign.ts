import { createPrivateKey } from 'node:crypto'
import { type AuthnRequest, authnRequest, type OwnMetadata, ownMetadata } from './messages.ts'
import { signedDocument } from './verify.ts'

/** Our metadata, signed by a key that it shows. */
export const signMetadata = (metadata: OwnMetadata, privateKey: string): string =>
  signedDocument(ownMetadata(metadata), { key: createPrivateKey(privateKey) })

/** A request for the POST binding, in base64: there the message itself is signed, after its issuer. */
export const signRequest = (request: AuthnRequest, privateKey: string): string =>
  Buffer.from(signedDocument(authnRequest(request), { key: createPrivateKey(privateKey), after: 'Issuer' })).toString('base64')
