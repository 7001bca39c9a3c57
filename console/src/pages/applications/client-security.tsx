import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Client, type ClientChanges, changeClient } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FederatedCredentials } from '../../parts/federated-credentials.tsx'
import type { PublicKey } from '../../parts/pasted-keys.ts'
import { saveAs } from '../../parts/save-as.ts'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { applicationTexts as t } from '../../texts/application.ts'
import { clientSecurityTexts as own } from '../../texts/client-security.ts'
import { federatedCredentialsTexts as workloads } from '../../texts/federated-credentials.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'
import { AuthenticationEffects, ClientAuthentication, useAuthentication } from './client-authentication.tsx'
import { ClientProfile } from './client-profile.tsx'
import { ClientSecret } from './client-secret.tsx'
import { passOn } from './created-secret.ts'
import { privateKeyFileOf } from './snippets/framework.ts'

const operation = 'PATCH /v1/admin/clients/{id}'

/** How the application proves which one it is: by its secret, or by a key or a certificate whose private half only it has. */
export function ClientSecurity({ client, tag }: ClientWithTag) {
  const mayChange = useMayChange()(operation)
  const { clientType, tokenEndpointAuthMethod: method, jwksUri } = client
  const edit = useAuthentication(client, tag)
  // What else changes the application would make the form one of an earlier state, as a change by another administrator does.
  const unsaved = edit.isDirty ? own.saveFirst : undefined
  if (clientType === 'public')
    return (
      <>
        <Notice tone="neutral">{own.publicHasNoKey}</Notice>
        {mayChange && (
          <Panel title={own.certificate} description={own.certificateHint}>
            <ClientAuthentication client={client} edit={edit} />
          </Panel>
        )}
      </>
    )
  return (
    <>
      <Panel title={own.authentication}>
        {mayChange ? (
          <ClientAuthentication client={client} edit={edit} />
        ) : (
          <Facts
            items={[{ term: own.method, value: t.methods[method] }, ...(jwksUri ? [{ term: own.keysAddress, value: jwksUri }] : [])]}
          />
        )}
      </Panel>
      <Keys client={client} tag={tag} unsaved={unsaved} />
      <Workloads client={client} tag={tag} unsaved={unsaved} />
      <ClientProfile client={client} tag={tag} unsaved={unsaved} />
      <ClientSecret client={client} unsaved={unsaved} />
    </>
  )
}

interface ClientWithTag {
  client: Client
  tag: string | undefined
}

interface PanelProps extends ClientWithTag {
  /** Why the application cannot be changed here while the form has changes. */
  unsaved: string | undefined
}

/** Changes an application that was read with its tag. Lists are sent whole: without the condition, those of others would be lost. */
function useChange(): (from: ClientWithTag, changes: ClientChanges) => Promise<void> {
  const queries = useQueryClient()
  return async ({ client, tag }, changes) => {
    try {
      await changeClient(client.id, changes, tag)
    } finally {
      await invalidate(queries, 'clients')
    }
  }
}

function Workloads({ client, tag, unsaved }: PanelProps) {
  const change = useChange()
  const whyNot = useWhyNot()(operation)
  return (
    <Panel title={workloads.title} description={workloads.hint}>
      <FederatedCredentials
        credentials={client.federatedCredentials}
        whyNot={whyNot}
        unsaved={unsaved}
        change={(federatedCredentials) => change({ client, tag }, { federatedCredentials })}
      />
    </Panel>
  )
}

const keysOf = ({ jwks }: Client) => jwks?.keys ?? []
const nameOf = ({ kid, kty, crv }: PublicKey) => kid ?? crv ?? kty

function Keys({ unsaved, ...from }: PanelProps) {
  const { client } = from
  const change = useChange()
  const mayChange = useMayChange()(operation)
  const whyNot = useWhyNot()(operation) ?? unsaved
  const [isAsking, setAsking] = useState(false)
  // With the keys as they were then: a place in the list counts only there.
  const [removing, setRemoving] = useState<ClientWithTag & { index: number }>()
  const keys = keysOf(client)
  const removed = removing && keysOf(removing.client)[removing.index]
  const withKeys = (made: readonly PublicKey[]): ClientChanges => ({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [...keys, ...made] },
    jwksUri: null,
  })
  const make = async () => {
    const made = await (await import('./make-key.ts')).makeKey()
    // First: if the response is lost, the application may authenticate by this key alone.
    await saveAs(made.file(), privateKeyFileOf(client))
    await change(from, withKeys([made.publicKey]))
    passOn({ clientId: client.clientId, key: made.signingKey })
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
                    <Button
                      small
                      icon={Trash2}
                      aria-label={own.removeKeyName(nameOf(key))}
                      disabledReason={unsaved}
                      onClick={() => setRemoving({ ...from, index })}
                    >
                      {own.removeKey}
                    </Button>
                  </Cell>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      <Confirm open={isAsking} onOpenChange={setAsking} title={own.makeKeyQuestion} action={own.makeKey} onConfirm={make}>
        <p>{own.makeKeyEffect}</p>
        <AuthenticationEffects client={client} changes={withKeys([])} />
      </Confirm>
      <Confirm
        open={removing !== undefined}
        onOpenChange={() => setRemoving(undefined)}
        title={own.removeKeyQuestion(removed ? nameOf(removed) : '')}
        action={own.removeKey}
        danger
        onConfirm={async () => {
          if (!removing) return
          const others = keysOf(removing.client).toSpliced(removing.index, 1)
          await change(removing, { jwks: others.length > 0 ? { keys: others } : null })
        }}
      >
        <p>{own.removeKeyEffect}</p>
      </Confirm>
    </Panel>
  )
}
