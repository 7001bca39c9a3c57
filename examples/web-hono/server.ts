import { createServer } from 'node:http'
import { toNode } from '@gatehouse-iam/web'
import { createApp } from './app.ts'

const { GATEHOUSE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', COOKIE_SECRET = '', PORT = '4000' } = process.env

const origin = `http://localhost:${PORT}`
const app = createApp({
  gatehouseUrl: GATEHOUSE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  cookieSecret: COOKIE_SECRET,
  origin,
})
const handler = toNode(async (request) => app.fetch(request))
createServer((request, response) => void handler(request, response)).listen(Number(PORT), () => console.log(`Open ${origin}`))
