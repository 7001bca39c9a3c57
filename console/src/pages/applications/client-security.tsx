import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Client, type ClientChanges, changeClient } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FederatedCredentials } from '../../parts/federated-credentials.tsx'
import { saveAs } from '../../parts/save-as.ts'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { applicationTexts as t } from '../../texts/application.ts'
import { clientSecurityTexts as own } from '../../texts/client-security.ts'
import { federatedCredentialsTexts as workloads } from '../../texts/federated-credentials.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ClientCertificate } from './client-certificate.tsx'
import { usesCertificate } from './client-fields.ts'
import { ClientProfile } from './client-profile.tsx'
import { ClientSecret } from './client-secret.tsx'
import { passOn } from './created-secret.ts'
import { makeKey, type PublicKey, readPastedKeys } from './make-key.ts'
import { privateKeyFileOf } from './snippets/framework.ts'

const operation = 'PATCH /v1/admin/clients/{id}'

/** How the application proves which one it is: by its secret, or by a key or a certificate whose private half only it has. */
export function ClientSecurity({ client }: { client: Client }) {
  const isByKey = client.tokenEndpointAuthMethod === 'private_key_jwt' || usesCertificate(client.tokenEndpointAuthMethod)
  if (client.clientType === 'public')
    return (
      <>
        <Notice tone="neutral">{own.publicHasNoKey}</Notice>
        <ClientCertificate client={client} />
      </>
    )
  return (
    <>
      <Panel title={own.authentication}>
        <Facts
          items={[
            { term: own.method, value: t.methods[client.tokenEndpointAuthMethod] },
            ...(client.jwksUri ? [{ term: own.keysAddress, value: client.jwksUri }] : []),
          ]}
        />
      </Panel>
      <Keys client={client} />
      <ClientCertificate client={client} />
      <Workloads client={client} />
      <ClientProfile client={client} />
      {!isByKey && client.secret && <ClientSecret client={client} secret={client.secret} />}
    </>
  )
}

function Workloads({ client }: { client: Client }) {
  const queries = useQueryClient()
  const whyNot = useWhyNot()(operation)
  return (
    <Panel title={workloads.title} description={workloads.hint}>
      <FederatedCredentials
        credentials={client.federatedCredentials}
        whyNot={whyNot}
        change={async (federatedCredentials) => {
          await changeClient(client.id, { federatedCredentials })
          await invalidate(queries, 'clients')
        }}
      />
    </Panel>
  )
}

const nameOf = ({ kid, kty, crv }: PublicKey) => kid ?? crv ?? kty

function Keys({ client }: { client: Client }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()(operation)
  const whyNot = useWhyNot()(operation)
  const [isAsking, setAsking] = useState(false)
  const [removing, setRemoving] = useState<PublicKey>()
  const keys = client.jwks?.keys ?? []
  const change = async (changes: ClientChanges) => {
    await changeClient(client.id, changes)
    await invalidate(queries, 'clients')
  }
  const make = async () => {
    const made = await makeKey()
    await change({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [...keys, made.publicKey] }, jwksUri: null })
    passOn({ clientId: client.clientId, key: made.signingKey })
    await saveAs(made.file(), privateKeyFileOf(client))
  }
  return (
    <Panel
      title={t.keys}
      description={own.keysHint}
      actions={
        <Button icon={KeyRound} disabledReason={whyNot} onClick={() => setAsking(true)}>
          {own.makeKey}
        </Button>
      }
    >
      {keys.length > 0 && (
        <Table label={t.keys} flush>
          <TableHead>
            <ColumnHeader>{own.keyName}</ColumnHeader>
            <ColumnHeader>{own.keyKind}</ColumnHeader>
            {mayChange && <ColumnHeader control />}
          </TableHead>
          <TableBody>
            {keys.map((key, index) => (
              // Two keys may have one name.
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells them apart
              <TableRow key={index}>
                <Cell rowHeader>{nameOf(key)}</Cell>
                <Cell label={own.keyKind}>{[key.kty, key.crv, key.alg].filter(Boolean).join(' ')}</Cell>
                {mayChange && (
                  <Cell card="end">
                    <Button small icon={Trash2} aria-label={own.removeKeyName(nameOf(key))} onClick={() => setRemoving(key)}>
                      {own.removeKey}
                    </Button>
                  </Cell>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      {mayChange && <OwnKeys key={client.updatedAt} client={client} change={change} />}
      <Confirm open={isAsking} onOpenChange={setAsking} title={own.makeKeyQuestion} action={own.makeKey} onConfirm={make}>
        <p>{own.makeKeyEffect}</p>
      </Confirm>
      <Confirm
        open={removing !== undefined}
        onOpenChange={() => setRemoving(undefined)}
        title={own.removeKeyQuestion(removing ? nameOf(removing) : '')}
        action={own.removeKey}
        danger
        onConfirm={() => change({ jwks: keys.length > 1 ? { keys: keys.filter((key) => key !== removing) } : null })}
      >
        <p>{own.removeKeyEffect}</p>
      </Confirm>
    </Panel>
  )
}

/** Keys that the application has made itself: pasted, or at an address of its own. */
function OwnKeys({ client, change }: { client: Client; change: (changes: ClientChanges) => Promise<void> }) {
  const [isUnreadable, setUnreadable] = useState(false)
  const submission = useSubmit({
    fields: ['jwks', 'jwksUri'],
    async work(form) {
      const pasted = String(form.get('jwks') ?? '').trim()
      const address = String(form.get('jwksUri') ?? '').trim()
      const keys = pasted === '' ? undefined : readPastedKeys(pasted)
      setUnreadable(pasted !== '' && !keys)
      if (pasted !== '' && !keys) return
      const known = client.jwks?.keys ?? []
      await change({
        // The keys of a self-signed certificate are among them.
        ...(client.tokenEndpointAuthMethod !== 'self_signed_tls_client_auth' && { tokenEndpointAuthMethod: 'private_key_jwt' }),
        jwks: keys ? { keys: [...known, ...keys] } : address === '' ? client.jwks : null,
        jwksUri: address === '' ? null : address,
      })
    },
  })
  return (
    <Form errors={isUnreadable ? { jwks: own.pastedUnreadable } : submission.errors} onSubmit={submission.onSubmit}>
      <TextField name="jwks" label={own.pasteKeys} hint={own.pasteKeysHint} multiline={4} mono spellCheck={false} />
      <TextField
        name="jwksUri"
        label={own.keysAddress}
        hint={own.keysAddressHint}
        inputMode="url"
        mono
        defaultValue={client.jwksUri ?? ''}
      />
      {submission.summary && <Notice tone="danger">{submission.summary.text}</Notice>}
      <FormActions>
        <Button type="submit" busy={submission.busy}>
          {own.useKeys}
        </Button>
      </FormActions>
    </Form>
  )
}
