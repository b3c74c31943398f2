import type { Notice, Preferences } from '../accounts/settings.ts';
import type { Change } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import { audienceByFact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText, minuteMs } from '../foundation/duration.ts';
import { decimalText, firstNamesAndCount } from '../foundation/number-text.ts';
import type { SessionTable } from '../session/session-table.ts';
import { changesBetween } from '../store/change-log.ts';
import { changeWithAccountName, phaseCountsOf } from '../store/selectors.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { loggedOutcome } from '../views/phrases/entry.ts';
import { outcomeText } from '../views/phrases/outcome.ts';

type Announcement = {
	kind: Notice;
	subjectKey: string;
	text: string;
};

export function startAnnouncing(
	sessions: SessionTable,
	terminal: Pick<Terminal, 'setTitle' | 'ringBell' | 'notify'>,
	rules: Preferences['notify'],
	clock: Clock,
): () => void {
	const { store } = sessions;
	const announcer = createAnnouncer(terminal, rules, clock);

	function updateTitle() {
		const { accounts } = store.getState();
		const computers = sessions
			.all()
			.flatMap(({ account }) => [...(accounts.get(account)?.computers.values() ?? [])]);
		const { total, phases } = phaseCountsOf(computers, ({ phase }) => phase);
		const counts = [
			phases.active ? `${phases.active} active` : '',
			phases.creating ? `${phases.creating} creating` : '',
			phases.error ? `${phases.error} in error` : '',
		].filter(text => text !== '');
		const text = counts.join(', ') || `${total} computers`;
		terminal.setTitle(total === 0 ? 'crowsnest' : `crowsnest: ${text}`);
	}

	// The first reads after the start report old changes: they differ from the snapshot of an earlier run.
	announcer.onReconnect();
	updateTitle();
	const stopAnnouncing = store.onFact((fact, before, after) => {
		const session = sessions.all().find(({ account }) => account === fact.account);
		const account = after.accounts.get(fact.account) ?? emptyAccount;
		const earlier = before.accounts.get(fact.account) ?? emptyAccount;
		if (!session || account === earlier) return;
		// All panes learn of the same change, but only the terminal that a person used last rings.
		const isSharedRead = audienceByFact[fact.type] === 'followers';
		if (isSharedRead && session.sharedWatch?.isUsedLast() === false) return;
		if (earlier.contact && account.contact?.since !== earlier.contact.since)
			announcer.onReconnect();
		for (const change of changesBetween(earlier, account)) {
			const named =
				sessions.all().length === 1 ? change : changeWithAccountName(session.profile.name, change);
			const announcement = announcementOf(named, fact.account, account);
			if (announcement) announcer.announce(announcement);
		}
	});
	const stopTitle = store.subscribe(updateTitle);
	return () => {
		stopTitle();
		stopAnnouncing();
	};
}

function announcementOf(
	change: Change,
	key: string,
	account: AccountState,
): Announcement | undefined {
	if (change.type === 'statusChanged' && change.to !== null && phaseOf(change.to) === 'error') {
		const { id, name = id } = change;
		return { kind: 'computerFailed', subjectKey: `${key} ${id}`, text: `${name} is in error` };
	}
	if (change.type === 'accountNoted' && change.event === 'creditsLow') {
		const { timeLeftMs = null } = runwayOf(account) ?? {};
		const balance = account.credits?.balance ?? null;
		const left = balance === null ? 'few' : decimalText(balance);
		const time = timeLeftMs === null ? '' : `, enough for ${durationText(timeLeftMs)}`;
		const text = `${change.name ?? key}: Credits run low: ${left} left${time}`;
		return { kind: 'creditsLow', subjectKey: key, text };
	}
	if (change.type !== 'operationMoved' || change.pane !== undefined) return undefined;
	const outcome = loggedOutcome(change, account.operations.get(change.wish.key));
	if (outcome.stage !== 'done' && !outcome.isFinal) return undefined;
	const subjectKey = `${key} ${change.wish.key}`;
	return { kind: 'operationEnded', subjectKey, text: outcomeText(outcome) };
}

const gatheringPeriodMs = 1500;
const quietAfterReconnectMs = 15_000;
const minIntervalMs = 20_000;
const repeatAfterMs = 10 * minuteMs;

/** Groups simultaneous events, drops repeated ones and limits the rate. */
export function createAnnouncer(
	{ ringBell, notify }: Pick<Terminal, 'ringBell' | 'notify'>,
	rules: Pick<Preferences['notify'], Announcement['kind']>,
	clock: Clock,
) {
	const announcedAt = new Map<string, number>();
	let waiting: readonly Announcement[] = [];
	let quietUntil = -Infinity;

	function announceWaiting() {
		const now = clock.monotonic();
		if (quietUntil > now) {
			clock.after(quietUntil - now, announceWaiting);
			return;
		}
		const notified = waiting.filter(({ kind }) => rules[kind] === 'notify');
		waiting = [];
		quietUntil = now + minIntervalMs;
		if (notified.length > 0) notify(firstNamesAndCount(notified.map(({ text }) => text)));
		else ringBell();
	}

	return {
		announce(announcement: Announcement) {
			const { kind, subjectKey } = announcement;
			if (rules[kind] === 'off') return;
			const now = clock.monotonic();
			for (const [key, at] of announcedAt) if (now - at >= repeatAfterMs) announcedAt.delete(key);
			const key = `${kind} ${subjectKey}`;
			if (announcedAt.has(key)) return;
			announcedAt.set(key, now);
			waiting = [...waiting, announcement];
			if (waiting.length === 1) clock.after(gatheringPeriodMs, announceWaiting);
		},
		/** The many changes that arrive then are announced together. */
		onReconnect() {
			quietUntil = Math.max(quietUntil, clock.monotonic() + quietAfterReconnectMs);
		},
	};
}
