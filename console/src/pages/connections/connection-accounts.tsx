import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Connection } from '../../api/connections.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { useEdit } from '../../parts/edit-form.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { FormRow, FormSection } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AcceptedAssertions } from './accepted-assertions.tsx'
import { textOf } from './connection-edits.ts'
import { ConnectionForm } from './connection-form.tsx'

// With the code that names roles and teams, the page would be too large for the first one.
const Mappings = lazyNamed(() => import('../../parts/mappings.tsx'), 'Mappings')
const InspectAssertion = lazyNamed(() => import('../../parts/inspect-assertion.tsx'), 'InspectAssertion')

const claims = ['email', 'firstName', 'lastName', 'phone', 'groups'] as const
type Claim = `mapping.${(typeof claims)[number]}`

function valuesOf(connection: Connection) {
  const { linking, provisioning, syncOn, configuration, mapping, roleMappings, teamMappings } = connection
  const { trustsMfa, mfaContexts, upstreamLogout, idpInitiated, sessionMaxAgeSeconds, identityAssertions } = connection
  return {
    linking: textOf(linking),
    provisioning: provisioning as string,
    'configuration.allowedDomains': textOf(configuration.allowedDomains),
    syncOn: syncOn as string,
    ...(Object.fromEntries(claims.map((claim) => [`mapping.${claim}`, textOf(mapping[claim])])) as Record<Claim, string>),
    roleMappings,
    teamMappings,
    trustsMfa,
    mfaContexts: textOf(mfaContexts),
    upstreamLogout,
    idpInitiated: idpInitiated as string,
    sessionMaxAgeSeconds,
    identityAssertions,
  }
}

/** The claims to choose from: an address is proven only by the claim `email`, except with a provider of one's own. */
const claimsOf = ({ provider, mapping }: Connection) =>
  claims.filter((claim) => claim !== 'email' || provider === 'oidc' || provider === 'saml' || typeof mapping.email === 'string')

/** The names of claims that a test has found, whose page leads here. */
function useFoundClaims(): string[] {
  const { claims: found } = useSearch({ strict: false }) as { claims?: unknown }
  return found === undefined ? [] : String(found).split(' ').filter(Boolean)
}

/** The accounts that may sign in by a connection, and the users, roles and teams that they map to. */
export function ConnectionAccounts({ connection, tag }: { connection: Connection; tag: string | undefined }) {
  const edit = useEdit(valuesOf(connection), tag)
  const found = useFoundClaims()
  const { values, set, field } = edit
  const choice = (name: 'linking' | 'provisioning' | 'syncOn' | 'idpInitiated') => (
    <Select {...field(name)} label={t.fields[name]} options={Object.entries(t.choices[name]).map(([value, label]) => ({ value, label }))} />
  )
  const text = (name: 'configuration.allowedDomains' | 'mfaContexts', hint: string) => (
    <TextField {...field(name)} label={t.fields[name]} hint={hint} mono />
  )
  const yesOrNo = (name: 'trustsMfa' | 'upstreamLogout') => (
    <Switch name={name} label={t.fields[name]} checked={values[name]} onCheckedChange={(checked) => set(name, checked)} />
  )
  return (
    <>
      <ConnectionForm connection={connection} title={t.accounts} edit={edit} valuesOf={valuesOf} labels={labelsOf(connection)}>
        {choice('linking')}
        {choice('provisioning')}
        {values.provisioning === 'jit' && text('configuration.allowedDomains', t.hints.allowedDomains)}
        {choice('syncOn')}
        <FormSection title={t.claims} description={t.claimsDescription}>
          <FormRow>
            {claimsOf(connection).map((claim) => (
              <TextField
                key={claim}
                {...field(`mapping.${claim}`)}
                label={t.fields[`mapping.${claim}`]}
                placeholder={t.defaults[claim]}
                suggestions={found}
                mono
              />
            ))}
          </FormRow>
        </FormSection>
        <Mappings
          of="roles"
          name="roleMappings"
          id="roleId"
          claims={found}
          rows={values.roleMappings}
          onRowsChange={(rows) => set('roleMappings', rows as typeof values.roleMappings)}
        />
        <Mappings
          of="teams"
          name="teamMappings"
          id="teamId"
          claims={found}
          rows={values.teamMappings}
          onRowsChange={(rows) => set('teamMappings', rows as typeof values.teamMappings)}
        />
        <FormSection title={t.sessions}>
          {yesOrNo('trustsMfa')}
          {values.trustsMfa && text('mfaContexts', t.hints.mfaContexts)}
          {yesOrNo('upstreamLogout')}
          {connection.type === 'saml' && choice('idpInitiated')}
          <DurationField
            name="sessionMaxAgeSeconds"
            label={t.fields.sessionMaxAgeSeconds}
            inherit={t.noLimit}
            value={values.sessionMaxAgeSeconds}
            onValueChange={(seconds) => set('sessionMaxAgeSeconds', seconds)}
          />
        </FormSection>
        {connection.type === 'oidc' && (
          <AcceptedAssertions value={values.identityAssertions} onValueChange={(assertions) => set('identityAssertions', assertions)} />
        )}
      </ConnectionForm>
      {connection.identityAssertions?.accepted && (
        <div>
          <Suspense>
            <InspectAssertion />
          </Suspense>
        </div>
      )}
    </>
  )
}

const labelsOf = ({ type }: Connection) =>
  Object.fromEntries(
    (
      [
        'linking',
        'provisioning',
        'configuration.allowedDomains',
        'syncOn',
        ...claims.map((claim) => `mapping.${claim}` as const),
        'roleMappings',
        'teamMappings',
        'trustsMfa',
        'mfaContexts',
        'upstreamLogout',
        ...(type === 'saml' ? (['idpInitiated'] as const) : []),
        'sessionMaxAgeSeconds',
        'identityAssertions',
      ] as const
    ).map((name) => [name, t.fields[name]]),
  )
