import { expect, test } from 'vitest';
import { redactedJson } from '../../../source/platform/decoding/answer.ts';
import { PlatformError } from '../../../source/platform/decoding/platform-error.ts';
import { serveResponses } from '../loopback.ts';
import { failureOf, platformAt, readOptions } from '../platform-at.ts';

// Texts, records and ids of the platform are accepted only if cleaning and encoding do not change their meaning.

/** Starts a platform that records its requests and responds to each with this body. */
async function recording(body = '{}') {
	const requests: string[] = [];
	const origin = await serveResponses((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		response.end(body);
	});
	return { ...platformAt(origin, { redact: withoutToken }), requests };
}

const withoutToken = (text: string) => text.replaceAll('secret-token', '…');

test.each(['.', '..', ''])(
	'the client sends no request for a computer with the id %j, which would change the path of the request',
	async id => {
		const { platform, requests } = await recording();
		for (const asked of [
			() => platform.deleteComputer(id, readOptions()),
			() => platform.sendAction(id, 'stop', readOptions()),
			() => platform.sendAction(id, 'start', readOptions()),
			() => platform.sendAction(id, 'restart', readOptions()),
			() => platform.sendAction(id, 'update', readOptions(), {}),
			() => platform.readComputer(id, readOptions()),
			() => platform.readStatus(id, readOptions()),
			() => platform.publishPort(id, 8080, readOptions()),
			() => platform.unpublishPort(id, 8080, readOptions()),
			() => platform.visitPort(id, 8080, readOptions()),
		]) {
			expect(await failureOf(asked())).toMatchObject({ kind: 'invalid', isOutcomeUnknown: false });
		}
		expect(requests).toEqual([]);
		expect(() => platform.publicAddress(id, 8080)).toThrow(PlatformError);
		expect(() => platform.shareAddress(id)).toThrow(PlatformError);
	},
);

test.each([
	['sb_9/../../x', '/v1/platform/sandbox/sb_9%2F..%2F..%2Fx'],
	['%2e%2e', '/v1/platform/sandbox/%252e%252e'],
	['a?b#c', '/v1/platform/sandbox/a%3Fb%23c'],
	['...', '/v1/platform/sandbox/...'],
])(
	'the client encodes the id %j of a computer as one segment of the request path',
	async (id, path) => {
		const { platform, requests } = await recording();
		await platform.deleteComputer(id, readOptions());
		expect(requests).toEqual([`DELETE ${path}`]);
	},
);

test('the client removes the token from every record in which the platform quotes it', async () => {
	const { platform } = await recording(
		JSON.stringify([
			{
				sandbox_id: 'sb_one',
				status: 'error',
				name: 'x secret-token',
				error: 'no access with "Bearer secret-token"',
				metadata: { provisioningMessage: 'secret-token' },
				ports: [{ port: 80, share_token: 'secret-token' }],
			},
		]),
	);
	const { computers } = await platform.listComputers(readOptions());
	expect(JSON.stringify(computers)).not.toContain('secret-token');
	expect(computers[0]).toMatchObject({ status: 'error', name: 'x …' });
});

test('the client removes a quoted token from a successful response, even if JSON escapes hide it', async () => {
	const escaped = await recording('{"name": "\\u0073ecret-token", "id": "sb_one"}');
	expect(await escaped.platform.readComputer('sb_one', readOptions())).toMatchObject({ name: '…' });
	const said = await recording('{"message": "stopped with secret-token"}');
	expect(await said.platform.sendAction('sb_one', 'stop', readOptions())).toEqual({
		message: 'stopped with …',
	});
});

test('the client removes a quoted token from the title of a web page that comes in place of a response', async () => {
	const origin = await serveResponses((_, response) => {
		response.statusCode = 502;
		response.end('<html><title>No route for secret-token</title></html>');
	});
	const { platform } = platformAt(origin, { redact: withoutToken });
	const { message } = await failureOf(platform.listComputers(readOptions()));
	expect(message).toContain('No route for …');
	expect(message).not.toContain('secret-token');
});

test('the client finds a secret that is written with JSON escapes anywhere in a long response', () => {
	const redact = (text: string) => text.replaceAll('secret', '…');
	const redacted = (text: string) => redactedJson(JSON.parse(text), text, redact);
	const long = Array.from({ length: 3_000 }, () => `{"name": "${'x'.repeat(40)}"}`);
	for (const at of [0, 1_500, 3_000]) {
		const text = `[${long.toSpliced(at, 0, '{"name": "a \\u0073ecret"}').join()}]`;
		expect(redacted(text)).toContainEqual({ name: 'a …' });
	}
	expect(redacted('{"list": [{"\\u0073ecret": 1}]}')).toEqual({ list: [{ '…': 1 }] });
	expect(redacted('["\\u0073ec", "ret"]')).toEqual(['sec', 'ret']);
});

test('the client refuses a computer whose id contains a secret, and keeps a status word that equals a secret', async () => {
	const origin = await serveResponses((_, response) =>
		response.end('[{"id": "sb_secret", "status": "active"}, {"id": "sb_two", "status": "active"}]'),
	);
	const redact = (text: string) => text.replaceAll('secret', '…').replaceAll('active', '…');
	const { computers, unreadable } = await platformAt(origin, { redact }).platform.listComputers(
		readOptions(),
	);
	expect(computers).toEqual([{ id: 'sb_two', status: 'active' }]);
	expect(unreadable).toBe(1);
});
