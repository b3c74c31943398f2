import { expect, test } from 'vitest';
import { createRedaction } from '../../source/accounts/redaction.ts';

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
