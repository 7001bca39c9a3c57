import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import type { AskedProof } from '../api/proof.ts'
import type { components } from '../api/schema.d.ts'
import { Cancel, Refusal } from '../parts/confirm.tsx'
import { useAction, useSubmit } from '../parts/use-submit.ts'
import { proofTexts as t } from '../texts/proof.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'

/** A dialog while a call waits for the user to prove again who they are. Closing it leaves the call refused. */
export function ProofDialog({ asked, onClose }: { asked: AskedProof | undefined; onClose: () => void }) {
  // It is still shown while it closes.
  const [shown, setShown] = useState(asked)
  if (asked && asked !== shown) setShown(asked)
  return (
    <Dialog
      alert
      open={asked !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={t.title}
      description={t.description}
      closeLabel={shellTexts.close}
    >
      {shown && <ProofForm asked={shown} />}
    </Dialog>
  )
}

async function prove(body: components['schemas']['Reauthentication']): Promise<void> {
  await answerOf(api.POST('/v1/me/reauthenticate', { body }))
}

function ProofForm({ asked: { methods, settle } }: { asked: AskedProof }) {
  const typed = (['code', 'password'] as const).find((method) => methods.includes(method))
  const [isRefusedByDevice, setRefusedByDevice] = useState(false)
  const submission = useSubmit({
    fields: ['password', 'code'],
    work: async (form) => {
      const text = String(form.get(typed ?? '') ?? '')
      // Apps show codes in groups.
      await prove(typed === 'code' ? { code: text.replaceAll(/\s/g, '') } : { password: text })
      settle(true)
    },
  })
  const byPasskey = useSubmit({
    work: async () => {
      setRefusedByDevice(false)
      const { flowToken, options } = await answerOf(api.POST('/v1/me/reauthenticate/options'))
      const credential = await credentialFor(options)
      if (!credential) return setRefusedByDevice(true)
      await prove({ flowToken, credential })
      settle(true)
    },
  })
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      {typed === 'password' && <TextField name="password" type="password" label={t.password} autoComplete="current-password" required />}
      {typed === 'code' && (
        <>
          <TextField name="code" label={t.code} hint={t.codeHint} autoComplete="one-time-code" mono required />
          <SendCode />
        </>
      )}
      {methods.length === 0 && <Notice tone="warning">{t.noMethod}</Notice>}
      {isRefusedByDevice && <Notice tone="warning">{t.noPasskeyUsed}</Notice>}
      <Refusal of={submission.summary ? submission : byPasskey} />
      <FormActions>
        <Cancel of={submission.busy ? submission : byPasskey} onClick={() => settle(false)} />
        {methods.includes('passkey') && (
          <Button icon={Fingerprint} variant={typed ? 'plain' : 'primary'} busy={byPasskey.busy} onClick={() => void byPasskey.run()}>
            {t.usePasskey}
          </Button>
        )}
        {typed && (
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.confirm}
          </Button>
        )}
      </FormActions>
    </Form>
  )
}

/** The button for users who get their codes by text message. */
function SendCode() {
  const { data } = useQuery({ queryKey: ['me', 'mfa'], queryFn: ({ signal }) => answerOf(api.GET('/v1/me/mfa', { signal })) })
  const send = useAction(() => answerOf(api.POST('/v1/me/mfa/code')), { done: t.codeSent })
  if (!data?.methods.some(({ method }) => method === 'sms')) return null
  return (
    <Button variant="quiet" small busy={send.busy} onClick={() => void send.run()}>
      {t.sendCode}
    </Button>
  )
}

/** @returns the response of the user's device; undefined when it fails, or the user cancels it */
async function credentialFor(
  options: components['schemas']['PasskeyRequestOptions'],
): Promise<components['schemas']['PasskeyAssertion'] | undefined> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
    return credential?.toJSON() as components['schemas']['PasskeyAssertion'] | undefined
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
