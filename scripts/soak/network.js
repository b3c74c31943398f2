// The network between the program and the platform: it counts what goes through, and can be cut.
import { createServer, request } from 'node:http';

const limits = [
	{ scope: 'create', limit: 5, window: 3_600_000 },
	{ scope: 'status', limit: 60, window: 60_000 },
	{ scope: 'other', limit: 30, window: 60_000 },
];

/** The scope in which the document counts a request; none for sign-ins and published pages. */
function scopeOf(method, path) {
	if (!path.startsWith('/v1/') || path.startsWith('/v1/p/')) return undefined;
	if (method === 'POST' && path === '/v1/platform/sandbox') return 'create';
	return /^\/v1\/platform\/sandbox\/[^/]+\/status$/.test(path) ? 'status' : 'other';
}

export async function openNetwork(target) {
	const seen = [];
	let isCut = false;
	const server = createServer((incoming, outgoing) => {
		const { method, url, headers } = incoming;
		const path = new URL(url, target).pathname;
		const one = { at: performance.now(), method, path, scope: scopeOf(method, path), status: 0 };
		seen.push(one);
		const onward = request(new URL(url, target), { method, headers, agent: false }, answer => {
			one.status = answer.statusCode;
			outgoing.writeHead(answer.statusCode, answer.rawHeaders);
			answer.pipe(outgoing);
			answer.on('aborted', () => outgoing.destroy());
			answer.on('error', () => outgoing.destroy());
		});
		onward.on('error', () => incoming.socket.destroy());
		outgoing.on('close', () => onward.destroy());
		incoming.pipe(onward);
	});
	server.on('connection', socket => {
		if (isCut) socket.resetAndDestroy();
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${server.address().port}`,
		seen,
		cut() {
			isCut = true;
			server.closeAllConnections();
		},
		mend() {
			isCut = false;
		},
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** The most of each scope in any window as long as the documented one. */
export function mostInWindows(seen) {
	return limits.map(({ scope, limit, window }) => {
		const times = seen.filter(each => each.scope === scope).map(({ at }) => at);
		let first = 0;
		let most = 0;
		for (const [last, at] of times.entries()) {
			while (times[first] <= at - window) first += 1;
			most = Math.max(most, last - first + 1);
		}
		return { scope, limit, most };
	});
}
