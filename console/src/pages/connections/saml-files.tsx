import { Download } from 'lucide-react'
import { useState } from 'react'
import { FileButton } from '../../parts/file-button.tsx'
import { saveAs } from '../../parts/save-as.ts'
import { useAction } from '../../parts/use-submit.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './connections.module.css'

/** What a provider takes as a file: our metadata, and the certificate by which our requests are signed. */
export function OwnFiles({ metadataUrl, slug }: { metadataUrl: string; slug: string }) {
  const read = async () => {
    const response = await fetch(new URL(metadataUrl).pathname)
    if (!response.ok) throw new Error(`The metadata cannot be read: ${response.status}`)
    return response
  }
  const metadata = useAction(async () => saveAs(await read(), `${slug}-metadata.xml`))
  const certificate = useAction(async () => saveAs(new Response(signingCertificateIn(await (await read()).text())), `${slug}.crt`))
  return (
    <div className={styles.files}>
      <Button icon={Download} busy={metadata.busy} onClick={() => void metadata.run()}>
        {t.metadataFile}
      </Button>
      <Button icon={Download} busy={certificate.busy} onClick={() => void certificate.run()}>
        {t.certificateFile}
      </Button>
    </div>
  )
}

/** The certificate in use, in PEM: our metadata show it before the next one. They are our own text, which needs no parser. */
function signingCertificateIn(metadata: string): string {
  const [, base64 = ''] = /use="signing">.*?<ds:X509Certificate>([^<]+)</s.exec(metadata) ?? []
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** As many characters as the API takes. */
const lengthMax = 500_000

/** Fills the field of the metadata from a file, which is sent with the form. */
export function MetadataFile({ onRead }: { onRead(text: string): void }) {
  const [isTooLong, setTooLong] = useState(false)
  const take = async (file: File) => {
    // No file of that size is read only to be refused.
    const text = file.size > 4 * lengthMax ? '' : await file.text()
    const isLong = file.size > 4 * lengthMax || text.length > lengthMax
    setTooLong(isLong)
    if (!isLong) onRead(text)
  }
  return (
    <div className={styles.files}>
      <FileButton
        label={t.chooseMetadata}
        accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
        onFile={(file) => void take(file)}
      />
      {isTooLong && (
        <Notice tone="danger" role="alert">
          {t.metadataTooLong}
        </Notice>
      )}
    </div>
  )
}
