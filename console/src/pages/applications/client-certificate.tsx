import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, type ClientChanges, changeClient } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { applicationTexts as t } from '../../texts/application.ts'
import { clientSecurityTexts as own } from '../../texts/client-security.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usesCertificate } from './client-fields.ts'
import { readPastedKeys } from './make-key.ts'

type Name = keyof NonNullable<Client['tlsClientAuth']>
type Method = Client['tokenEndpointAuthMethod']

const names = ['subjectDn', 'sanDns', 'sanUri', 'sanIp', 'sanEmail'] as const satisfies readonly Name[]

/** The certificate by which the application authenticates, and whether its tokens are bound to it. */
export function ClientCertificate({ client }: { client: Client }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/clients/{id}')
  const change = async (changes: ClientChanges) => {
    await changeClient(client.id, changes)
    await invalidate(queries, 'clients')
  }
  if (!mayChange) return null
  return (
    <Panel title={own.certificate} description={own.certificateHint}>
      <Certificate key={client.updatedAt} client={client} change={change} />
    </Panel>
  )
}

function Certificate({ client, change }: { client: Client; change: (changes: ClientChanges) => Promise<void> }) {
  const { tokenEndpointAuthMethod: current, tlsClientAuth } = client
  const [method, setMethod] = useState<Method>(current)
  const [kind, setKind] = useState<Name>(names.find((name) => tlsClientAuth?.[name] !== undefined) ?? 'subjectDn')
  const [isBound, setBound] = useState(client.certificateBoundAccessTokens)
  const [isUnreadable, setUnreadable] = useState(false)
  const isSelfSigned = method === 'self_signed_tls_client_auth'
  const submission = useSubmit({
    fields: ['tokenEndpointAuthMethod', 'tlsClientAuth', 'jwks', 'jwksUri', 'certificateBoundAccessTokens'],
    async work(form) {
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const keys = text('jwks') === '' ? undefined : readPastedKeys(text('jwks'))
      setUnreadable(text('jwks') !== '' && !keys)
      if (text('jwks') !== '' && !keys) return
      const known = client.jwks?.keys ?? []
      const ofSelfSigned = {
        jwks: keys ? { keys: [...known, ...keys] } : text('jwksUri') === '' ? client.jwks : null,
        jwksUri: text('jwksUri') === '' ? null : text('jwksUri'),
      }
      await change({
        certificateBoundAccessTokens: isBound,
        ...(method !== current && { tokenEndpointAuthMethod: method }),
        ...(method === 'tls_client_auth' && { tlsClientAuth: { [kind]: text('tlsClientAuth') } }),
        ...(isSelfSigned && ofSelfSigned),
      })
    },
  })
  const methods: Method[] = [...(usesCertificate(current) ? [] : [current]), 'tls_client_auth', 'self_signed_tls_client_auth']
  return (
    <Form errors={isUnreadable ? { jwks: own.pastedUnreadable } : submission.errors} onSubmit={submission.onSubmit}>
      {client.clientType === 'confidential' && (
        <Select
          name="tokenEndpointAuthMethod"
          label={own.method}
          hint={own.certificateMethodHint}
          value={method}
          options={methods.map((value) => ({ value, label: t.methods[value] }))}
          onValueChange={(value) => setMethod(value as Method)}
        />
      )}
      {method === 'tls_client_auth' && (
        <>
          <Select
            name="nameKind"
            label={own.certificateNameKind}
            value={kind}
            options={names.map((value) => ({ value, label: own.certificateNames[value] }))}
            onValueChange={(value) => setKind(value as Name)}
          />
          <TextField
            key={kind}
            name="tlsClientAuth"
            label={own.certificateName}
            hint={kind === 'subjectDn' ? own.certificateSubjectHint : undefined}
            mono
            spellCheck={false}
            defaultValue={tlsClientAuth?.[kind] ?? ''}
          />
        </>
      )}
      {isSelfSigned && (
        <>
          <TextField name="jwks" label={own.pasteKeys} hint={own.certificateKeysHint} multiline={4} mono spellCheck={false} />
          <TextField
            name="jwksUri"
            label={own.keysAddress}
            hint={own.keysAddressHint}
            inputMode="url"
            mono
            defaultValue={client.jwksUri ?? ''}
          />
        </>
      )}
      <Switch
        name="certificateBoundAccessTokens"
        label={t.certificateBoundAccessTokens}
        hint={own.certificateBoundAccessTokensHint}
        checked={isBound}
        onCheckedChange={setBound}
      />
      {submission.summary && <Notice tone="danger">{submission.summary.text}</Notice>}
      <FormActions>
        <Button type="submit" busy={submission.busy}>
          {own.saveCertificate}
        </Button>
      </FormActions>
    </Form>
  )
}
