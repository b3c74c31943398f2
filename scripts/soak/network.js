// A proxy between the program and the platform that counts requests and can cut connections.
import { createServer, request } from 'node:http';

const limits = [
	{ scope: 'create', limit: 5, window: 3_600_000 },
	{ scope: 'status', limit: 60, window: 60_000 },
	{ scope: 'other', limit: 30, window: 60_000 },
];

/** Returns the documented rate limit scope of a request; undefined for sign-ins and published pages. */
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
		const entry = { at: performance.now(), method, path, scope: scopeOf(method, path), status: 0 };
		seen.push(entry);
		const forwarded = request(new URL(url, target), { method, headers, agent: false }, answer => {
			entry.status = answer.statusCode;
			outgoing.writeHead(answer.statusCode, answer.rawHeaders);
			answer.pipe(outgoing);
			answer.on('aborted', () => outgoing.destroy());
			answer.on('error', () => outgoing.destroy());
		});
		forwarded.on('error', () => incoming.socket.destroy());
		outgoing.on('close', () => forwarded.destroy());
		incoming.pipe(forwarded);
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
		restore() {
			isCut = false;
		},
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Returns the largest number of requests of each scope in any window of the documented length. */
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
