import { clientSecretOnly, type Framework, portOf, type Values } from './framework.ts'

const settings = (
  values: Values,
) => `# org.springframework.boot:spring-boot-starter-security-oauth2-client (before Spring Boot 4: …-starter-oauth2-client)
server:
  port: ${portOf(values, 8080)}
spring:
  security:
    oauth2:
      client:
        registration:
          gatehouse:
            client-id: ${values.clientId}
            client-secret: \${GATEHOUSE_CLIENT_SECRET}
            authorization-grant-type: authorization_code
            redirect-uri: ${values.redirectUri}
            scope: openid, profile, email
        provider:
          gatehouse:
            issuer-uri: ${values.issuer}
`

/** Before version 7, only public clients use PKCE by default. */
const configuration = `import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
class SecurityConfiguration {
    @Bean
    SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository registrations) throws Exception {
        var requests = new DefaultOAuth2AuthorizationRequestResolver(registrations, "/oauth2/authorization");
        requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        return http
            .authorizeHttpRequests(all -> all.anyRequest().authenticated())
            .oauth2Login(login -> login.authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(requests)))
            .build();
    }
}
`

export const spring: Framework = {
  id: 'spring',
  name: 'Java: Spring Security',
  kinds: ['web'],
  redirectUri: 'http://localhost:8080/login/oauth2/code/gatehouse',
  idTokenSignedResponseAlg: 'RS256',
  snippets: (values) => [
    { file: 'application.yml', language: 'yaml', code: settings(values) },
    { file: 'SecurityConfiguration.java', language: 'java', code: configuration },
  ],
  environment: clientSecretOnly,
}
