import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { components } from '../api/schema.d.ts'
import { federatedCredentialsTexts as t } from '../texts/federated-credentials.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow, TwoLines } from '../ui/table.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Confirm, Refusal } from './confirm.tsx'
import { useSubmit } from './use-submit.ts'

export type FederatedCredential = components['schemas']['FederatedCredential']

interface Props {
  credentials: readonly FederatedCredential[]
  /** Why the list cannot be changed; undefined when it can. */
  whyNot: string | undefined
  change: (credentials: FederatedCredential[]) => Promise<unknown>
}

/** The identities of platforms that stand in for a secret, of an application or an API key. */
export function FederatedCredentials({ credentials, whyNot, change }: Props) {
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<FederatedCredential>()
  return (
    <>
      {credentials.length > 0 && (
        <Table label={t.title} flush>
          <TableHead>
            <ColumnHeader>{t.name}</ColumnHeader>
            <ColumnHeader>{t.workload}</ColumnHeader>
            <ColumnHeader>{t.claims}</ColumnHeader>
            {whyNot === undefined && <ColumnHeader control />}
          </TableHead>
          <TableBody>
            {credentials.map((one) => (
              <TableRow key={one.name}>
                <Cell rowHeader>{one.name}</Cell>
                <Cell label={t.workload}>
                  <TwoLines title={<code>{one.subject}</code>} detail={one.issuer} />
                </Cell>
                <Cell label={t.claims}>{textOfClaims(one).join(', ')}</Cell>
                {whyNot === undefined && (
                  <Cell card="end">
                    <Button small icon={Trash2} aria-label={t.removeName(one.name)} onClick={() => setRemoving(one)}>
                      {t.remove}
                    </Button>
                  </Cell>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      {isAdding ? (
        <NewCredential
          onClose={() => setAdding(false)}
          add={async (credential) => {
            await change([...credentials, credential])
            setAdding(false)
          }}
        />
      ) : (
        <FormActions>
          <Button icon={Plus} disabledReason={whyNot} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        </FormActions>
      )}
      <Confirm
        open={removing !== undefined}
        onOpenChange={() => setRemoving(undefined)}
        title={t.removeQuestion(removing?.name ?? '')}
        action={t.remove}
        danger
        onConfirm={() => change(credentials.filter((one) => one !== removing))}
      >
        <p>{t.removeEffect}</p>
      </Confirm>
    </>
  )
}

const textOfClaims = ({ claims }: FederatedCredential) => Object.entries(claims).map(([name, value]) => `${name}=${value}`)

/** What is known of each platform: its issuer, and the form of its subjects. */
const presets = {
  github: { issuer: 'https://token.actions.githubusercontent.com', subject: 'repo:OWNER/REPOSITORY:ref:refs/heads/main' },
  gitlab: { issuer: 'https://gitlab.com', subject: 'project_path:GROUP/PROJECT:ref_type:branch:ref:main' },
  kubernetes: { issuer: 'https://kubernetes.default.svc.cluster.local', subject: 'system:serviceaccount:NAMESPACE:NAME' },
  spiffe: { issuer: '', subject: 'spiffe://TRUST-DOMAIN/ns/NAMESPACE/sa/NAME' },
  other: { issuer: '', subject: '' },
} as const
type Platform = keyof typeof presets

const isPlatform = (value: string): value is Platform => value in presets

function NewCredential({ add, onClose }: { add: (credential: FederatedCredential) => Promise<void>; onClose: () => void }) {
  const [platform, setPlatform] = useState<Platform>('github')
  const [issuer, setIssuer] = useState<string>(presets.github.issuer)
  const [subject, setSubject] = useState<string>(presets.github.subject)
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  const submission = useSubmit({
    async work(form) {
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const claims = readClaims(text('claims'))
      const jwks = readKeys(text('jwks'))
      const unreadable = { ...(!claims && { claims: t.claimsUnreadable }), ...(jwks === null && { jwks: t.jwksUnreadable }) }
      setMistakes(unreadable)
      if (!claims || jwks === null) return
      await add({ name: text('name'), issuer: issuer.trim(), subject: subject.trim(), claims, ...(jwks && { jwks }) })
    },
  })
  return (
    <Form errors={{ ...submission.errors, ...mistakes }} onSubmit={submission.onSubmit}>
      <Select
        label={t.platform}
        value={platform}
        options={Object.entries(t.platforms).map(([value, label]) => ({ value, label }))}
        onValueChange={(value) => {
          if (!isPlatform(value)) return
          setPlatform(value)
          setIssuer(presets[value].issuer)
          setSubject(presets[value].subject)
        }}
      />
      <TextField name="name" label={t.name} hint={t.nameHint} required autoFocus />
      <TextField
        name="issuer"
        label={t.issuer}
        hint={t.issuerHint}
        inputMode="url"
        mono
        required
        value={issuer}
        onValueChange={setIssuer}
      />
      <TextField name="subject" label={t.subject} hint={t.subjectHint} mono required value={subject} onValueChange={setSubject} />
      <TextField name="claims" label={t.claims} hint={t.claimsHint} optional={t.optional} multiline={2} mono />
      <TextField name="jwks" label={t.jwks} hint={t.jwksHint} optional={t.optional} multiline={3} mono />
      <Refusal of={submission} />
      <FormActions>
        <Button onClick={onClose}>{shellTexts.cancel}</Button>
        <Button type="submit" variant="primary" busy={submission.busy}>
          {t.add}
        </Button>
      </FormActions>
    </Form>
  )
}

/** Claims that were typed, one a line; undefined when a line is none. */
function readClaims(text: string): Record<string, string> | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const pairs = lines.map((line) => /^([^=]+)=(.+)$/.exec(line))
  if (pairs.includes(null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.trim() ?? '', pair?.[2]?.trim() ?? '']))
}

/** Keys that were pasted; undefined for none, null for what is no set of keys. */
function readKeys(text: string): FederatedCredential['jwks'] | null {
  if (text === '') return undefined
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    return Array.isArray(keys) ? { keys } : null
  } catch {
    return null
  }
}
