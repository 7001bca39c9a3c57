import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, type ClientChanges, changeClient, clientProfileQuery, clientQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { readPastedKeys } from '../../parts/pasted-keys.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { applicationTexts as t } from '../../texts/application.ts'
import { clientSecurityTexts as own } from '../../texts/client-security.ts'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { labels, usesCertificate, usesSecret } from './client-fields.ts'

type CertificateName = keyof NonNullable<Client['tlsClientAuth']>

const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'] as const

const names = ['subjectDn', 'sanDns', 'sanUri', 'sanIp', 'sanEmail'] as const satisfies readonly CertificateName[]

/** What applications may sign by. */
const algorithms = ['EdDSA', 'ES256', 'PS256', 'RS256'] as const

/** The values of the form. Keys that are pasted come to those that are there. */
function valuesOf(client: Client) {
  const kind = names.find((name) => client.tlsClientAuth?.[name] !== undefined) ?? 'subjectDn'
  return {
    tokenEndpointAuthMethod: client.tokenEndpointAuthMethod,
    tlsClientAuth: { kind: kind as CertificateName, name: client.tlsClientAuth?.[kind] ?? '' },
    jwks: '',
    jwksUri: client.jwksUri ?? '',
    tokenEndpointAuthSigningAlg: client.tokenEndpointAuthSigningAlg,
    requestObjectSigningAlg: client.requestObjectSigningAlg,
    certificateBoundAccessTokens: client.certificateBoundAccessTokens,
  }
}

type Values = ReturnType<typeof valuesOf>

/** @throws Problem for keys that cannot be sent */
function bodyOf({ tlsClientAuth, jwks, jwksUri, ...same }: Partial<Values>, client: Client): ClientChanges {
  const address = jwksUri?.trim()
  const pasted = jwks?.trim() ? readPastedKeys(jwks, 'jwks') : undefined
  return {
    ...same,
    ...(tlsClientAuth && { tlsClientAuth: { [tlsClientAuth.kind]: tlsClientAuth.name.trim() } }),
    ...(address !== undefined && { jwksUri: address || null }),
    // An address takes the place of the keys.
    ...(pasted ? { jwks: { keys: [...(client.jwks?.keys ?? []), ...pasted] } } : address && { jwks: null }),
  }
}

/** What no longer works once the changes are saved. */
function effectsOf(client: Client, changes: ClientChanges): string[] {
  const { tokenEndpointAuthMethod: former } = client
  const { tokenEndpointAuthMethod: method = former, jwks, jwksUri, tlsClientAuth } = changes
  const isAnother = method !== former && !usesSecret(method)
  const returnsToSecret = usesSecret(method) && !usesSecret(former)
  const endsKeys = (client.jwks !== null && jwks === null) || (client.jwksUri !== null && jwksUri !== undefined)
  const renames = method === former && method === 'tls_client_auth' && tlsClientAuth !== undefined
  return [
    ...(isAnother ? [own.methodEffect(t.methods[former], t.methods[method])] : []),
    ...(returnsToSecret ? [own.secretAgainEffect] : []),
    ...(endsKeys ? [own.keysEffect] : []),
    ...(renames ? [own.certificateNameEffect] : []),
    ...(changes.tokenEndpointAuthSigningAlg ? [own.signingAlgorithmEffect(changes.tokenEndpointAuthSigningAlg)] : []),
    ...(changes.requestObjectSigningAlg ? [own.requestAlgorithmEffect(changes.requestObjectSigningAlg)] : []),
    ...(changes.certificateBoundAccessTokens ? [own.certificateBoundEffect] : []),
  ]
}

/** What breaks for the application, and whether it is in use. */
export function AuthenticationEffects({ client, changes }: { client: Client; changes: ClientChanges }) {
  const { data } = useQuery(clientProfileQuery(client.id))
  const effects = effectsOf(client, changes)
  return (
    <>
      {effects.map((effect) => (
        <p key={effect}>{effect}</p>
      ))}
      {effects.length > 0 && data?.isInUse && <Notice tone="warning">{own.inUse}</Notice>}
    </>
  )
}

/** How the application authenticates, while it is edited. */
export const useAuthentication = (client: Client, tag: string | undefined) => useEdit<Values>(valuesOf(client), tag)

interface ClientAuthenticationProps {
  client: Client
  edit: ReturnType<typeof useAuthentication>
}

/** How the application authenticates, the keys that it has made itself, and whether its tokens are bound to its certificate. */
export function ClientAuthentication({ client, edit }: ClientAuthenticationProps) {
  const queries = useQueryClient()
  const { values, set, field } = edit
  const { ask, question } = useQuestion()
  const { tokenEndpointAuthMethod: method, tlsClientAuth } = values
  const isConfidential = client.clientType === 'confidential'
  const algorithm = (name: 'tokenEndpointAuthSigningAlg' | 'requestObjectSigningAlg') => (
    <Select
      name={name}
      label={own[name]}
      hint={own.algorithmHint}
      value={values[name] ?? ''}
      options={[{ value: '', label: own.anyAlgorithm }, ...algorithms.map((value) => ({ value, label: value }))]}
      onValueChange={(value) => set(name, (value || null) as Values[typeof name])}
    />
  )
  return (
    <>
      <EditForm
        edit={edit}
        targetId={client.id}
        labels={{
          ...labels,
          tokenEndpointAuthMethod: own.method,
          jwks: own.pasteKeys,
          jwksUri: own.keysAddress,
          tlsClientAuth: own.certificateName,
          tokenEndpointAuthSigningAlg: own.tokenEndpointAuthSigningAlg,
          requestObjectSigningAlg: own.requestObjectSigningAlg,
        }}
        before={async (changes) => {
          const body = bodyOf(changes, client)
          if (effectsOf(client, body).length === 0) return true
          const effects = <AuthenticationEffects client={client} changes={body} />
          return ask({ title: own.authenticationQuestion(client.name), body: effects, action: own.changeAuthentication, danger: true })
        }}
        save={async (changes, { 'If-Match': ifMatch }) => {
          // The keys of the record that was read last: after a conflict, it is the one with this tag.
          const now = queries.getQueryData(clientQuery(client.id).queryKey)?.body ?? client
          const saved = await changeClient(client.id, bodyOf(changes, now), ifMatch)
          await invalidate(queries, 'clients')
          return saved
        }}
        readAgain={async () => {
          const now = await queries.fetchQuery({ ...clientQuery(client.id), staleTime: 0 })
          return { values: valuesOf(now.body), tag: now.tag }
        }}
      >
        {isConfidential && (
          <Select
            {...field('tokenEndpointAuthMethod')}
            label={own.method}
            hint={usesCertificate(method) ? own.certificateHint : usesSecret(method) ? own.secretMethodHint : own.methodHint}
            options={methods.map((value) => ({ value, label: t.methods[value] }))}
            onValueChange={(value) => set('tokenEndpointAuthMethod', value as Values['tokenEndpointAuthMethod'])}
          />
        )}
        {method === 'tls_client_auth' && (
          <>
            <Select
              name="nameKind"
              label={own.certificateNameKind}
              value={tlsClientAuth.kind}
              options={names.map((value) => ({ value, label: own.certificateNames[value] }))}
              onValueChange={(kind) => set('tlsClientAuth', { ...tlsClientAuth, kind: kind as CertificateName })}
            />
            <TextField
              name="tlsClientAuth"
              label={own.certificateName}
              hint={tlsClientAuth.kind === 'subjectDn' ? own.certificateSubjectHint : undefined}
              mono
              spellCheck={false}
              value={tlsClientAuth.name}
              onValueChange={(name) => set('tlsClientAuth', { ...tlsClientAuth, name })}
            />
          </>
        )}
        {isConfidential && (
          <>
            <TextField
              {...field('jwks')}
              label={own.pasteKeys}
              hint={method === 'self_signed_tls_client_auth' ? own.certificateKeysHint : own.pasteKeysHint}
              multiline={4}
              mono
              spellCheck={false}
            />
            <TextField {...field('jwksUri')} label={own.keysAddress} hint={own.keysAddressHint} inputMode="url" mono />
          </>
        )}
        {method === 'private_key_jwt' && algorithm('tokenEndpointAuthSigningAlg')}
        {(client.jwks || client.jwksUri || client.requestObjectSigningAlg) && algorithm('requestObjectSigningAlg')}
        <Switch
          name="certificateBoundAccessTokens"
          label={t.certificateBoundAccessTokens}
          hint={own.certificateBoundAccessTokensHint}
          checked={values.certificateBoundAccessTokens}
          onCheckedChange={(value) => set('certificateBoundAccessTokens', value)}
        />
      </EditForm>
      {question}
    </>
  )
}
