import { createPrivateKey } from 'node:crypto'
import { type OwnMetadata, ownMetadata } from './messages.ts'
import { signedDocument } from './verify.ts'

/** Our metadata, signed by a key that it shows. */
export const signMetadata = (metadata: OwnMetadata, privateKey: string): string =>
  signedDocument(ownMetadata(metadata), createPrivateKey(privateKey))
