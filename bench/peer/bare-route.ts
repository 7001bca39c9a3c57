/** The minimum cost of a request: a bare Fastify route with one query, and one with none. */
import process from 'node:process'
import fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL: connectionString, PORT: port, ORGANISATION_ID: organisationId } = process.env
const pool = new pg.Pool({ connectionString, max: 20 })

const text = { type: 'string' }
const properties = {
  ...{ id: text, name: text, slug: text, description: { type: 'string', nullable: true }, createdAt: text, updatedAt: text },
  members: { type: 'array', items: { type: 'object', properties: { id: text, email: text, name: text } } },
}
const keySet = JSON.stringify({
  keys: [{ kid: 'k'.repeat(43), kty: 'OKP', use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x: 'x'.repeat(43) }],
})

const app = fastify()
app.get('/keys', (_request, reply) => {
  reply.header('cache-control', 'public, max-age=300').type('application/json').send(keySet)
})
app.get<{ Params: { id: string } }>(
  '/teams/:id',
  { schema: { response: { 200: { type: 'object', properties } } } },
  async ({ params }, reply) => {
    const { rows } = await pool.query({
      name: 'team',
      text: `
        select t.id, t.name, t.slug, t.description, t.created_at as "createdAt", t.updated_at as "updatedAt", (
          select coalesce(json_agg(m), '[]') from (
            select u.id, u.email, u.name
            from team_members tm join users u on u.organisation_id = tm.organisation_id and u.id = tm.user_id
            where tm.organisation_id = t.organisation_id and tm.team_id = t.id and u.deleted_at is null
            order by u.id
          ) as m
        ) as members
        from teams t where t.organisation_id = $1 and t.id = $2`,
      values: [organisationId, params.id],
    })
    return rows[0] ?? reply.code(404).send()
  },
)
await app.listen({ port: Number(port), host: '127.0.0.1' })
