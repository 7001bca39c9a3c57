import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { JsonView } from '../../parts/json-view.tsx'
import { useFormatRelative } from '../../parts/time.tsx'
import { tryTexts as t } from '../../texts/try-it.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { decodeToken, type SignatureState, verifySignature } from './signed-token.ts'
import type { Step } from './try-calls.ts'
import styles from './try-it.module.css'

const tones: Record<SignatureState | 'checking', Tone> = {
  checking: 'neutral',
  valid: 'success',
  invalid: 'danger',
  'unknown-key': 'danger',
  unsupported: 'warning',
  malformed: 'danger',
}

/** A decoded token, whose signature is verified as it is typed, with the claims that an application has to check. */
export function TokenView({ token: { text: original, keys, expected } }: { token: NonNullable<Step['token']> }) {
  const [text, setText] = useState(original)
  const [checked, setChecked] = useState<{ text: string; state: SignatureState }>()
  useEffect(() => {
    let isCurrent = true
    void verifySignature(text, keys).then((state) => isCurrent && setChecked({ text, state }))
    return () => {
      isCurrent = false
    }
  }, [text, keys])
  const state = checked?.text === text ? checked.state : 'checking'
  const decoded = decodeToken(text)
  return (
    <div className={styles.content}>
      <div className={styles.checks} aria-live="polite">
        <Badge tone={tones[state]}>{t.signatures[state]}</Badge>
        {decoded && <Claims claims={decoded.claims} expected={expected} />}
      </div>
      <div className={styles.wide}>
        <TextField label={t.token} hint={t.signatureHint} value={text} onValueChange={setText} multiline={4} mono />
      </div>
      {text !== original && (
        <div>
          <Button small icon={RotateCcw} onClick={() => setText(original)}>
            {t.restore}
          </Button>
        </div>
      )}
      {decoded && (
        <div className={styles.pair}>
          <JsonView label={t.header} value={decoded.header} />
          <JsonView label={t.claims} value={decoded.claims} />
        </div>
      )}
    </div>
  )
}

function Claims({ claims, expected }: { claims: Record<string, unknown>; expected: Record<string, string> }) {
  const { exp } = claims
  const formatRelative = useFormatRelative()
  return (
    <>
      {Object.entries(expected).map(([claim, value]) => {
        const isRight = claims[claim] === value
        return (
          <Badge key={claim} tone={isRight ? 'success' : 'danger'}>
            {isRight ? t.claimRight(claim) : t.claimWrong(claim, value)}
          </Badge>
        )
      })}
      {typeof exp === 'number' && (
        <Badge tone={exp * 1000 > Date.now() ? 'success' : 'danger'}>
          {exp * 1000 > Date.now() ? t.expires(formatRelative(new Date(exp * 1000))) : t.expired}
        </Badge>
      )}
    </>
  )
}
