import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Client } from '../../api/clients.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { tryTexts as t } from '../../texts/try-it.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type KeyMistake, readSigningKey, type SigningKey } from './signing-key.ts'
import styles from './try-it.module.css'

interface KeyFieldProps {
  client: Client
  value: SigningKey | undefined
  /** Whether it was made in this browser a moment ago. */
  isCreated: boolean
  onValueChange(key: SigningKey | undefined): void
}

/** No private key of an application is longer. */
const bytesMax = 50_000

/** The private key of an application, from a file or pasted. Once it is read, only the key that signs is kept, and not its text. */
export function KeyField({ client, value, isCreated, onValueChange }: KeyFieldProps) {
  const latest = useRef('')
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState<KeyMistake>()
  const take = async (given: string) => {
    latest.current = given
    setText(given)
    setMistake(undefined)
    if (given.trim() === '') return
    const read = await readSigningKey(given, client)
    if (latest.current !== given) return
    if (typeof read === 'string') return setMistake(read)
    latest.current = ''
    setText('')
    onValueChange(read)
  }
  if (value)
    return (
      <div className={styles.content}>
        <p role="status">{isCreated ? t.keyCreated : t.keyRead(value.kid, value.algorithm)}</p>
        <div>
          <Button small icon={KeyRound} onClick={() => onValueChange(undefined)}>
            {t.otherKey}
          </Button>
        </div>
      </div>
    )
  return (
    <div className={styles.content}>
      <TextField label={t.key} hint={t.keyHint} value={text} onValueChange={(given) => void take(given)} multiline={4} mono />
      {mistake && (
        <Notice tone="danger" role="alert">
          {t.keyMistakes[mistake]}
        </Notice>
      )}
      <div>
        <FileButton
          label={t.chooseKey}
          accept=".json,.jwk,.pem,.key,application/json,application/jwk+json"
          onFile={(file) => {
            if (file.size > bytesMax) setMistake('unreadable')
            else void file.text().then(take)
          }}
        />
      </div>
    </div>
  )
}
