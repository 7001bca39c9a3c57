/** Statements and lines of configuration in a remedy, which are the same in every language. */

export const forcing = (tables: readonly string[]): string =>
  tables.map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`).join('; ')

export const policies = (tables: readonly string[]): string =>
  tables
    .map(
      (table) =>
        `CREATE POLICY tenant ON ${table} TO gatehouse_tenant USING (${table === 'organisations' ? 'id' : 'organisation_id'} = current_setting('app.organisation_id', true))`,
    )
    .join('; ')

/** The address of the service itself, as nginx names it. */
export const passOn = (servicePort: number): string => `proxy_pass http://127.0.0.1:${servicePort}`

export const forwards = 'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'
