import { Plus, Trash2 } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import type { components } from '../api/schema.d.ts'
import { federatedCredentialsTexts as t } from '../texts/federated-credentials.ts'
import { Button } from '../ui/button.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { WithinDialog } from '../ui/popup-container.ts'
import { Select } from '../ui/select.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow, TwoLines } from '../ui/table.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Confirm, FormFoot } from './confirm.tsx'
import { readPastedKeys } from './pasted-keys.ts'
import { useSubmit } from './use-submit.ts'
import { useTyped } from './use-typed.tsx'

export type FederatedCredential = components['schemas']['FederatedCredential']

interface Props {
  credentials: readonly FederatedCredential[]
  /** Why the list cannot be changed; undefined when it can. */
  whyNot: string | undefined
  /** Why it cannot be changed while a form of the page has changes. */
  unsaved?: string | undefined
  change: (credentials: FederatedCredential[]) => Promise<unknown>
  /** Told whether a workload is being typed that is not in the list yet. */
  onAdding?: (isAdding: boolean) => void
}

/** The identities of platforms that stand in for a secret, of an application or an API key. */
export function FederatedCredentials({ credentials, whyNot, unsaved, change, onAdding }: Props) {
  const [isAdding, setAdding] = useState(false)
  useEffect(() => {
    onAdding?.(isAdding)
    return () => onAdding?.(false)
  }, [isAdding, onAdding])
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
                    <Button
                      small
                      icon={Trash2}
                      aria-label={t.removeName(one.name)}
                      disabledReason={unsaved}
                      onClick={() => setRemoving(one)}
                    >
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
          index={credentials.length}
          whyNot={whyNot ?? unsaved}
          onClose={() => setAdding(false)}
          add={async (credential) => {
            await change([...credentials, credential])
            setAdding(false)
          }}
        />
      ) : (
        <FormActions>
          <Button icon={Plus} disabledReason={whyNot ?? unsaved} onClick={() => setAdding(true)}>
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
        onConfirm={() => change(credentials.filter(({ name }) => name !== removing?.name))}
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

interface NewCredentialProps {
  /** Its place in the list, by which mistakes are named. */
  index: number
  whyNot: string | undefined
  add: (credential: FederatedCredential) => Promise<void>
  onClose: () => void
}

const fields = ['name', 'issuer', 'subject', 'claims', 'jwks'] as const

function NewCredential({ index, whyNot, add, onClose }: NewCredentialProps) {
  const [platform, setPlatform] = useState<Platform>('github')
  const [issuer, setIssuer] = useState<string>(presets.github.issuer)
  const [subject, setSubject] = useState<string>(presets.github.subject)
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  const at = (field: (typeof fields)[number]) => `federatedCredentials.${index}.${field}`
  // A drawer asks about what was typed in it.
  const isInDialog = use(WithinDialog) !== undefined
  const typed = useTyped(() => !isInDialog, { onEveryPage: true })
  const submission = useSubmit({
    fields: fields.map(at),
    async work(form) {
      const text = (field: (typeof fields)[number]) => String(form.get(at(field)) ?? '').trim()
      const claims = readClaims(text('claims'))
      setMistakes(claims ? {} : { [at('claims')]: t.claimsUnreadable })
      if (!claims) return
      const jwks = text('jwks') === '' ? undefined : { keys: readPastedKeys(text('jwks'), at('jwks')) }
      await add({ name: text('name'), issuer: issuer.trim(), subject: subject.trim(), claims, ...(jwks && { jwks }) })
      typed.clear()
    },
  })
  return (
    <Form errors={{ ...submission.errors, ...mistakes }} onSubmit={submission.onSubmit} onInput={typed.note}>
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
      <TextField name={at('name')} label={t.name} hint={t.nameHint} required autoFocus />
      <TextField
        name={at('issuer')}
        label={t.issuer}
        hint={t.issuerHint}
        inputMode="url"
        mono
        required
        value={issuer}
        onValueChange={setIssuer}
      />
      <TextField name={at('subject')} label={t.subject} hint={t.subjectHint} mono required value={subject} onValueChange={setSubject} />
      <TextField name={at('claims')} label={t.claims} hint={t.claimsHint} optional={t.optional} multiline={2} mono />
      <TextField name={at('jwks')} label={t.jwks} hint={t.jwksHint} optional={t.optional} multiline={3} mono />
      <FormFoot of={submission} onCancel={onClose} action={t.add} disabledReason={whyNot} />
      {typed.question}
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
