import {
	type AccountSession,
	createSharedParts,
	openSession,
	type SessionOptions,
} from '../source/session/session.ts';

/** Opens the only account of a program. */
export function openOnlySession(
	host: Parameters<typeof openSession>[0],
	options: SessionOptions,
	rules: Parameters<typeof createSharedParts>[1] = {},
): AccountSession {
	const shared = createSharedParts(host, rules);
	const session = openSession(host, options, shared);
	const { close } = session;
	session.close = () => {
		shared.operations.quit();
		return close();
	};
	return session;
}
