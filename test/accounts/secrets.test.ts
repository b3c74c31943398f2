import { expect, test } from 'vitest';
import { createRedaction } from '../../source/accounts/redaction.ts';
import { accountVariables } from '../../source/accounts/settings.ts';
import { isSecretVariable, withoutSecrets } from '../../source/foundation/children.ts';

test('the redaction removes a secret from a text in every encoding of the secret', () => {
	const redaction = createRedaction();
	redaction.add('p&ss "word"');
	const texts = ['p&ss "word"', 'p%26ss%20%22word%22', 'p&ss \\"word\\"'];
	for (const text of texts) expect(redaction.redact(`<${text}> ${text}`)).toBe('<…> …');
	expect(redaction.redact('nothing to hide')).toBe('nothing to hide');
});

test('the redaction removes the whole of a secret that contains another secret', () => {
	const redaction = createRedaction();
	redaction.add('secret');
	redaction.add('secret-and-more');
	expect(redaction.redact('secret-and-more')).toBe('…');
});

test('the redaction does not remove secrets that are too short', () => {
	const redaction = createRedaction();
	redaction.add('');
	redaction.add('a');
	expect(redaction.redact('a banana')).toBe('a banana');
});

test('a child inherits everything except the secrets', () => {
	const harmless = {
		PATH: '/bin',
		HOME: '/home/user',
		LANG: 'C.UTF-8',
		TERM: 'xterm',
		SSH_AUTH_SOCK: '/tmp/agent',
		CROWSNEST_PROFILE: 'work',
		CROWSNEST_URL: 'https://api.example.com/v1',
	};
	const secret = {
		CROWSNEST_PASSWORD: 'correct horse',
		CROWSNEST_TOKEN: 'ey.token.value',
		CROWSNEST_ANON_KEY: 'the-anon-key',
	};
	expect(withoutSecrets({ ...harmless, ...secret, UNSET: undefined })).toEqual(harmless);
});

test('a child does not inherit a variable from which a secret was copied', () => {
	const environment = {
		FLEET_PASSWORD: 'correct horse',
		DATABASE: 'user:correct horse@host',
		SHORT: 'pin',
		CROWSNEST_PASSWORD: 'correct horse',
		CROWSNEST_TOKEN: 'pin',
	};
	expect(withoutSecrets(environment)).toEqual({ SHORT: 'pin' });
});

test('a child gets the variables of all settings except those that hold secrets', () => {
	const names = Object.values(accountVariables).map(({ name }) => name);
	expect(names.filter(isSecretVariable)).toEqual([
		'CROWSNEST_ANON_KEY',
		'CROWSNEST_PASSWORD',
		'CROWSNEST_TOKEN',
	]);
	expect(isSecretVariable('CROWSNEST_PROFILE')).toBe(false);
	expect(isSecretVariable('CROWSNEST_CONFIG_DIR')).toBe(false);
});
