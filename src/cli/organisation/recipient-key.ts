import { newRecipientKeys } from '../../system/transfer/recipient.ts'
import type { CommonOptions } from '../add-command.ts'
import { show } from '../output.ts'
import { writeTo } from '../write-to.ts'
import { refuseExisting } from './transfer-files.ts'

export async function createRecipientKey(file: string, options: CommonOptions): Promise<void> {
  const publicFile = `${file.replace(/\.jwk$/, '')}.public.jwk`
  await refuseExisting(file, publicFile)
  const { privateKey, publicKey, thumbprint } = await newRecipientKeys()
  await writeTo(file, privateKey, { mode: 0o600, flag: 'wx' })
  await writeTo(publicFile, publicKey, { flag: 'wx' })
  show(
    options,
    { privateKey: file, publicKey: publicFile, thumbprint },
    `${file} is the private key: it stays here, and opens what is encrypted for ${publicFile}, which the other side is given`,
  )
}
