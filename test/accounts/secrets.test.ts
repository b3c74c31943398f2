import { expect, test } from 'vitest';
import { createRedaction } from '../../source/accounts/redaction.ts';
import { accountVariables } from '../../source/accounts/settings.ts';
import { isSecretVariable, withoutSecrets } from '../../source/foundation/children.ts';

test('the redaction removes a secret in every encoding and as a whole, but none that is too short', () => {
	const redaction = createRedaction();
	for (const secret of ['p&ss "word"', 'secret', 'secret-and-more', '', 'a']) redaction.add(secret);
	for (const text of ['p&ss "word"', 'p%26ss%20%22word%22', 'p&ss \\"word\\"'])
		expect(redaction.redact(`<${text}> ${text}`)).toBe('<…> …');
	expect(redaction.redact('secret-and-more')).toBe('…');
	expect(redaction.redact('a banana')).toBe('a banana');
});

test('a child inherits everything except the secrets, and the variables from which they were copied', () => {
	const harmless = {
		PATH: '/bin',
		TERM: 'xterm',
		SSH_AUTH_SOCK: '/tmp/agent',
		CROWSNEST_PROFILE: 'work',
		CROWSNEST_URL: 'https://api.example.com/v1',
		SHORT: 'pin',
	};
	const secret = {
		CROWSNEST_PASSWORD: 'correct horse',
		CROWSNEST_TOKEN: 'pin',
		CROWSNEST_ANON_KEY: 'the-anon-key',
		FLEET_PASSWORD: 'correct horse',
		DATABASE: 'user:correct horse@host',
	};
	expect(withoutSecrets({ ...harmless, ...secret, UNSET: undefined })).toEqual(harmless);
	const names = Object.values(accountVariables).map(({ name }) => name);
	expect(names.filter(isSecretVariable)).toEqual([
		'CROWSNEST_ANON_KEY',
		'CROWSNEST_PASSWORD',
		'CROWSNEST_TOKEN',
	]);
});
