import { createStore as createTable } from 'zustand/vanilla';
import type { AccountSession, Sessions } from './session.ts';

export type SessionTable = ReturnType<typeof createSessionTable>;

/** Accounts may come and go while the program runs, but there is always one. */
export function createSessionTable(initial: Sessions) {
	const [{ store, operations }] = initial;
	const table = createTable(() => tableOf(initial));
	const all = () => table.getState().sessions;
	const replace = (next: Sessions) => table.setState(tableOf(next));

	return {
		store,
		operations,
		/** Returns the same array until an account comes or goes. */
		all,
		/** Returns the same array until an account comes or goes. */
		profiles: () => table.getState().profiles,
		sessionOf: (account: string | undefined) =>
			all().find(each => each.account === account) ?? all()[0],
		add: (session: AccountSession) => replace([...all(), session]),
		/** Without closing it. Returns false and does nothing if it is the last session. */
		remove(session: AccountSession): boolean {
			const [first, ...others] = all().filter(each => each !== session);
			if (!first) return false;
			replace([first, ...others]);
			return true;
		},
		/** After the profile of a session has changed. */
		refresh: () => replace(all()),
		subscribe: (listener: () => void) => table.subscribe(listener),
		/** Calls `begin` for each session, now and later; what it returns is called when the session leaves the table. */
		follow(begin: (session: AccountSession) => () => void): () => void {
			const endings = new Map<AccountSession, () => void>();

			function update() {
				for (const [session, end] of endings) {
					if (all().includes(session)) continue;
					endings.delete(session);
					end();
				}
				for (const session of all())
					if (!endings.has(session)) endings.set(session, begin(session));
			}

			const unsubscribe = table.subscribe(update);
			update();
			return () => {
				unsubscribe();
				for (const end of endings.values()) end();
			};
		},
	};
}

const tableOf = (sessions: Sessions) => ({
	sessions,
	profiles: sessions.map(({ profile }) => profile),
});

export const startWatches = (sessions: SessionTable): (() => void) =>
	sessions.follow(({ watch }) => {
		watch.start();
		return () => {};
	});
