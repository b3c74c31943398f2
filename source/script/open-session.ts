import type { AccountSettings } from '../accounts/account-settings.ts';
import type { Journal } from '../journal/journal.ts';
import { type AccessOptions, buildAccess, openRequestCap } from '../session/access.ts';
import type { Host } from '../session/host.ts';
import { openJournal } from '../session/open-journal.ts';
import {
	type AccountSession,
	createSharedParts,
	openSession,
	type SharedParts,
} from '../session/session.ts';
import { commandSharing } from '../session/watch-sharing.ts';
import { type AccountReadName, createWaitNotifier } from './read-account.ts';

export type OpeningOptions = {
	/** Whether the command needs the changes and credits of earlier runs; true if absent. */
	needsHistory?: boolean;
	/**
	 * The read that the command certainly begins with. With one account, its request is sent at once, and the last known
	 * fleet is loaded while the answer is on its way. With several accounts, the last one may be unusable.
	 */
	firstRead?: AccountReadName | undefined;
	/** Set if the command shares the watch of this host, as a follower or as the leader. */
	sharesWatch?: boolean;
};

// A command has no countdown and never locks, because a script could neither cancel the countdown nor unlock.
const operationRules = { skipsGrace: true, lockAfterMs: Number.POSITIVE_INFINITY };

/** Creates the store and the operations of all accounts of a command, so that one question can be about all of them. */
export async function createSharedTable(
	host: Host,
	{ maxRequestsPerMinute }: AccountSettings,
	notify: (line: string) => void,
	onProblem: (line: string) => void,
): Promise<SharedParts> {
	const requestCap = openRequestCap(
		host,
		maxRequestsPerMinute,
		onProblem,
		createWaitNotifier(host.clock, notify),
	);
	return createSharedParts(host, { ...operationRules, requestCap });
}

export type OpenedSession = {
	session: AccountSession;
	/** Resolves when the last known fleet is in the store. From then on, every fact is journaled. */
	recalled: Promise<void>;
	/** The journal; undefined until then. */
	journal(): Journal | undefined;
};

/** Calls `load` in the next turn of the event loop. By then, the first request has left, unless connecting takes long. */
async function afterSending({ nextTurn }: Host, load: () => Promise<void>): Promise<void> {
	await nextTurn?.();
	return load();
}

export async function openSessionFor(
	host: Host,
	account: AccountSettings,
	options: AccessOptions & OpeningOptions,
	shared: SharedParts,
): Promise<OpenedSession> {
	const access = await buildAccess(host, account, options);
	const sharing = options.sharesWatch ? commandSharing(host, account, access.account) : undefined;
	const sessionAccess = { ...access, ...(sharing && { sharing }) };
	const session = openSession(host, sessionAccess, shared);
	let journal: Journal | undefined;
	const recall = async () => {
		journal = openJournal(host, session, access.account, options.onProblem, options);
	};
	const recalled = options.firstRead ? afterSending(host, recall) : recall();
	return { session, recalled, journal: () => journal };
}
