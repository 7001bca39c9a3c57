import { Fragment, useState } from 'react'
import type { Connection } from '../../api/connections.ts'
import { Copyable } from '../../parts/copy.tsx'
import { useEdit } from '../../parts/edit-form.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { FormSection } from '../../ui/form.tsx'
import { ExternalLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Certificates } from './certificates.tsx'
import { advancedOf, isNeeded, labelOf, membersOf, type Provider, textOf } from './connection-edits.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionSignIn } from './connection-sign-in.tsx'
import { MetadataFile, OwnFiles } from './saml-files.tsx'

/** The addresses at which applications are registered with each provider. */
const places: Partial<Record<Provider, string>> = {
  google: 'https://console.cloud.google.com/auth/clients',
  microsoft: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps',
  github: 'https://github.com/settings/developers',
  apple: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
}

const configured = (member: string) => (member === 'secret' ? member : `configuration.${member}`)

function valuesOf(connection: Connection): Record<string, string> {
  const members = membersOf(connection).map((member) => [configured(member), textOf(connection.configuration[member as never], member)])
  return { name: connection.name, ...Object.fromEntries(members) }
}

const copied = (term: string, text: string) => ({ term, value: <Copyable text={text} mono /> })

/** What the provider has to know. */
function forProvider({ provider, callbackUrl, acsUrl, entityId, metadataUrl, jwksUri, upstreamLogout }: Connection) {
  if (callbackUrl === null)
    return [
      copied(t.ownMetadata, metadataUrl ?? ''),
      copied(t.ownEntityId, entityId ?? ''),
      copied(t.acsUrl, acsUrl ?? ''),
      ...(upstreamLogout ? [copied(t.sloUrl, (acsUrl ?? '').replace(/acs$/, 'slo'))] : []),
    ]
  const { origin, host } = new URL(callbackUrl)
  return [
    copied(t.redirectUri, callbackUrl),
    ...(jwksUri === null ? [] : [copied(t.keys, jwksUri)]),
    ...(provider === 'github' ? [copied(t.homepage, origin)] : []),
    ...(provider === 'apple' ? [copied(t.ownDomain, host)] : []),
    ...(upstreamLogout ? [copied(t.afterLogout, callbackUrl.replace(/callback$/, 'logged-out'))] : []),
    ...(provider === 'oidc' ? [copied(t.backchannelLogout, callbackUrl.replace(/callback$/, 'backchannel-logout'))] : []),
  ]
}

/** The data that the provider needs, the data that it returns, and whether anything is missing. */
export function ConnectionProvider({ connection, tag }: { connection: Connection; tag: string | undefined }) {
  const { isActive, provider, hasSecret, certificates, metadataUrl, slug } = connection
  const edit = useEdit(valuesOf(connection), tag)
  const advanced = advancedOf(connection)
  const members = membersOf(connection).map((member) => [configured(member), labelOf(connection, member)] as const)
  const labels: Record<string, string> = { name: shellTexts.name, ...Object.fromEntries(members) }
  // A connection that has just been activated stays in its place.
  const [wasActive] = useState(isActive)
  const step = (number: number, title: string) => (wasActive ? title : `${number}. ${title}`)
  const fields = Object.entries(labels).map(([name, label]) => {
    const member = name.split('.')[1] ?? name
    const words = t.choices[name as keyof typeof t.choices]
    if (words) {
      const options = Object.entries(words).map(([value, word]) => ({ value, label: word }))
      return <Select key={name} {...edit.field(name)} label={label} options={options} />
    }
    const isKey = provider === 'apple' && name === 'secret'
    const lines = isKey || member === 'certificates' || member === 'metadataXml' ? 5 : member === 'extraParameters' && 2
    const shown = (
      <TextField
        key={name}
        {...edit.field(name)}
        label={label}
        hint={isKey ? (hasSecret ? t.keyStored : t.keyHint) : t.hints[member as keyof typeof t.hints]}
        required={name === 'name' || (isActive && isNeeded(connection, member))}
        mono={name !== 'name'}
        {...(lines ? { multiline: lines } : name === 'secret' && { type: 'password', autoComplete: 'new-password' })}
      />
    )
    if (member !== 'metadataXml') return shown
    return (
      <Fragment key={name}>
        {shown}
        <MetadataFile onRead={(text) => edit.set(name, text)} />
      </Fragment>
    )
  })
  return (
    <>
      {wasActive && <ConnectionSignIn connection={connection} tag={tag} />}
      <Panel title={step(1, t.atProvider)} description={t.steps[provider]}>
        <Facts items={forProvider(connection)} />
        {metadataUrl !== null && <OwnFiles metadataUrl={metadataUrl} slug={slug} />}
        {places[provider] && <ExternalLink href={places[provider]}>{t.open(t.providers[provider])}</ExternalLink>}
      </Panel>
      <ConnectionForm connection={connection} title={step(2, t.fromProvider)} edit={edit} valuesOf={valuesOf} labels={labels}>
        {fields.slice(0, -advanced.length)}
        <FormSection title={t.advanced}>{fields.slice(-advanced.length)}</FormSection>
      </ConnectionForm>
      {certificates.length > 0 && <Certificates certificates={certificates} />}
      {!wasActive && <ConnectionSignIn connection={connection} tag={tag} />}
    </>
  )
}
