import { expect, test } from 'vitest';
import { createJointRedaction, createRedaction } from '../../source/accounts/redaction.ts';

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

test('the redaction remembers only the last few tokens, but every password and key', () => {
	const redaction = createRedaction();
	redaction.add('password-that-stays');
	for (let number = 1000; number < 1100; number += 1) redaction.addToken(`token-${number}`);
	expect(redaction.redact('token-1099 token-1095')).toBe('… …');
	expect(redaction.redact('token-1000')).toBe('token-1000');
	expect(redaction.redact('password-that-stays')).toBe('…');
});

test('a token that is used again counts as the newest', () => {
	const redaction = createRedaction();
	redaction.addToken('token-in-use');
	for (let number = 1000; number < 1007; number += 1) redaction.addToken(`token-${number}`);
	redaction.addToken('token-in-use');
	redaction.addToken('token-another');
	expect(redaction.redact('token-in-use')).toBe('…');
});

test('the redaction of each account removes the secrets and tokens of all accounts', () => {
	const create = createJointRedaction();
	const [work, lab] = [create(), create()];
	work.add('work-password');
	work.addToken('work-token');
	// If one account renews its token often, the tokens of the other accounts must still be removed.
	for (let count = 0; count < 20; count += 1) lab.addToken(`lab-token-${count}`);
	expect(lab.redact('work-password work-token lab-token-19')).toBe('… … …');
	expect(work.redact('lab-token-19')).toBe('…');
});
