import { expect, test } from 'vitest';
import { serveResponses, vacantOrigin } from './loopback.ts';
import { deferred, failureOf, platformAt, readOptions } from './platform-at.ts';

// The response says whether a request that changes something was carried out, or the outcome is unknown.

test('the client reports an unknown outcome for a stop request that its caller aborts', async () => {
	const begun = deferred();
	const origin = await serveResponses(() => begun.resolve());
	const controller = new AbortController();
	const { platform } = platformAt(origin);
	const stopping = failureOf(
		platform.sendAction('sb_a', 'stop', { signal: controller.signal, priority: 'operation' }),
	);
	await begun.promise;
	controller.abort();
	expect(await stopping).toMatchObject({ kind: 'cancelled', isOutcomeUnknown: true });
});

test.each([
	['the sign-in', 1],
	['the sign-in that replaces a refused token', 2],
])(
	'the client reports that the request was not carried out if %s gets no response',
	async (_, broken) => {
		let signIns = 0;
		const origin = await serveResponses((request, response) => {
			const isSignIn = request.url?.startsWith('/auth/');
			if (isSignIn) signIns += 1;
			if (!isSignIn) response.writeHead(401).end();
			else if (signIns === broken) request.socket.destroy();
			else response.end('{"access_token": "token"}');
		});
		const { platform } = platformAt(origin, {
			credentials: {
				kind: 'password',
				authUrl: origin,
				anonKey: 'anon',
				email: 'owner@example.com',
				password: async () => 'hunter2',
			},
		});
		const failure = await failureOf(platform.sendAction('sb_a', 'stop', readOptions()));
		expect(failure).toMatchObject({ kind: 'offline', isOutcomeUnknown: false });
		expect(signIns).toBe(broken);
	},
);

test.each(['OK', 'stopping sb_a\n', '', '[]', 'null', '{"success":'])(
	'the client takes any successful response as an acknowledgement, even %j',
	async text => {
		const origin = await serveResponses((_, response) => response.end(text));
		const { platform } = platformAt(origin);
		expect(await platform.sendAction('sb_a', 'stop', readOptions())).toEqual({});
		expect(await platform.publishPort('sb_a', 8080, readOptions())).toEqual({ port: 8080 });
	},
);

test('the client reports an unknown outcome for a change that a web page answers', async () => {
	const origin = await serveResponses((_, response) => response.end('<html>a proxy</html>'));
	const { platform } = platformAt(origin);
	for (const change of [
		platform.sendAction('sb_a', 'stop', readOptions()),
		platform.deleteComputer('sb_a', readOptions()),
		platform.publishPort('sb_a', 8080, readOptions()),
		platform.createComputer({}, readOptions()),
	])
		expect(await failureOf(change)).toMatchObject({ kind: 'unreadable', isOutcomeUnknown: true });
});

test('the client reports the outcome as failed, not as unknown, if no server listens at the address', async () => {
	const { platform } = platformAt(await vacantOrigin());
	expect(await failureOf(platform.sendAction('sb_a', 'stop', readOptions()))).toMatchObject({
		kind: 'offline',
		message: 'nothing answers at that address',
		isOutcomeUnknown: false,
	});
});

test('the client reports an unknown outcome for a create whose response identifies no computer', async () => {
	const origin = await serveResponses((_, response) => response.end('{"success": true}'));
	const failure = await failureOf(platformAt(origin).platform.createComputer({}, readOptions()));
	expect(failure).toMatchObject({ kind: 'unreadable', isOutcomeUnknown: true });
});

test('the client reads a failure from the body of a response with status 200', async () => {
	const origin = await serveResponses((_, response) =>
		response.end('{"success": false, "error": "add a card", "code": "no_payment_method"}'),
	);
	const failure = await failureOf(
		platformAt(origin).platform.sendAction('sb_a', 'start', readOptions()),
	);
	expect(failure).toMatchObject({ kind: 'payment', message: 'add a card' });
});
