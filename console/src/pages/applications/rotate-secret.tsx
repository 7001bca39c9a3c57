import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { clientSecurityTexts as t } from '../../texts/client-security.ts'
import { RadioCards } from '../../ui/radio-cards.tsx'

interface RotateSecretProps {
  clientId: string
  /** Whether the application authenticates by it: one that is not used needs no time for the change. */
  isUsed: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks how long the former secret works, too, and shows the new one once. */
export function RotateSecret({ clientId: id, isUsed, open, onOpenChange }: RotateSecretProps) {
  const queries = useQueryClient()
  const [made, setMade] = useState<string>()
  const rotate = async (form: FormData) => {
    const body = { gracePeriodSeconds: Number(form.get('overlap')) }
    const { clientSecret } = await answerOf(api.POST('/v1/admin/clients/{id}/rotate-secret', { params: { path: { id } }, body }))
    setMade(clientSecret ?? undefined)
    await invalidate(queries, 'clients')
  }
  return (
    <>
      <Confirm open={open} onOpenChange={onOpenChange} title={t.rotateQuestion} action={t.rotate} onConfirm={(_, form) => rotate(form)}>
        <p>{isUsed ? t.rotateEffect : t.rotateUnusedEffect}</p>
        {isUsed && (
          <RadioCards
            legend={t.overlap}
            name="overlap"
            defaultValue="86400"
            options={Object.entries(t.overlaps).map(([value, words]) => ({ value, ...words }))}
          />
        )}
      </Confirm>
      <SecretOnce title={t.newSecret} description={t.newSecretDescription} secret={made} onStored={() => setMade(undefined)} />
    </>
  )
}
