import { createPrivateKey } from 'node:crypto'
import { type OwnMetadata, ownMetadata } from './messages.ts'
import { signedDocument } from './verify.ts'

/** Our metadata, signed by a key that it shows. */
export const signMetadata = (metadata: OwnMetadata, privateKey: string): string =>
  signedDocument(ownMetadata(metadata), createPrivateKey(privateKey))

/** A message of ours to a provider, for the POST binding, which carries the signature in it (Bindings §3.5.4). */
export const signMessage = (message: string, privateKey: string): string =>
  signedDocument(message, createPrivateKey(privateKey), 'after issuer')
