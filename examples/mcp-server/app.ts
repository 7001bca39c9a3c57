import { type Access, createVerifier, type VerifierOptions } from '@gatehouse-iam/api'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express, { type RequestHandler } from 'express'
import { z } from 'zod'

const notesOf = new Map<string, string[]>()

/** The tools, for the organisation of the token. */
function toolsFor({ organisationId }: Access) {
  const notes = notesOf.get(organisationId) ?? []
  notesOf.set(organisationId, notes)
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  const server = new McpServer({ name: 'Notes', version: '1.0.0' })
  server.registerTool('list_notes', { description: 'Lists the notes' }, async () => said(notes.join('\n')))
  server.registerTool('add_note', { description: 'Adds a note', inputSchema: { text: z.string() } }, async ({ text }) => {
    notes.push(text)
    return said('Added')
  })
  return server
}

export function createApp(options: VerifierOptions) {
  const verifier = createVerifier({ ...options, resourceMetadata: { name: 'Notes', scopes: ['notes:read', 'notes:write'] } })

  // A tool that changes something needs more. An agent that lacks it asks the user again.
  const mayWrite = verifier.forExpress({ scope: 'notes:read notes:write' })
  const needsMore: RequestHandler = (request, response, next) => {
    const messages = [request.body].flat()
    const adds = messages.some((message) => message?.method === 'tools/call' && message.params?.name === 'add_note')
    adds ? mayWrite(request, response, next) : next()
  }

  const app = express()
  app.get('/.well-known/oauth-protected-resource/mcp', (_request, response) => void response.json(verifier.protectedResourceMetadata()))
  app.post('/mcp', verifier.forExpress({ scope: 'notes:read' }), express.json(), needsMore, async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.on('close', () => void transport.close())
    await toolsFor(request.auth as Access).connect(transport)
    await transport.handleRequest(request, response, request.body)
  })
  app.all('/mcp', (_request, response) => void response.status(405).end())
  return app
}
