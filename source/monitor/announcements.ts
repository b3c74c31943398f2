import type { Preferences } from '../accounts/settings.ts';
import type { Change } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { audienceByFact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AccountSession } from '../session/session.ts';
import type { SessionTable } from '../session/session-table.ts';
import { changesBetween } from '../store/change-log.ts';
import { changeWithAccountName } from '../store/opened-accounts.ts';
import { createRunwaySelector, phaseCountsOf } from '../store/selectors.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { loggedOutcome } from '../views/log.ts';
import { creditsWords } from '../views/phrases/billing.ts';
import { outcomeText } from '../views/phrases/outcome.ts';

/** Announces events of all accounts by the terminal's title, its bell and its notifications. */
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
		terminal.setTitle(titleText(phaseCountsOf(computers, ({ phase }) => phase)));
	}

	// The first reads after the start report old changes: they differ from the snapshot of an earlier run.
	announcer.onReconnect();
	updateTitle();
	const stopAnnouncing = sessions.follow(session =>
		announceAccount(session, sessions, announcer, rules),
	);
	const stopTitle = store.subscribe(updateTitle);
	return () => {
		stopTitle();
		stopAnnouncing();
	};
}

function announceAccount(
	{ account: key, profile: { name }, store, sharedWatch }: AccountSession,
	sessions: SessionTable,
	announcer: Announcer,
	{ creditsLeft: lowCreditsMs }: Preferences['notify'],
): () => void {
	const runwayOf = createRunwaySelector(lowCreditsMs);
	const named = (change: Change) =>
		sessions.all().length === 1 ? change : changeWithAccountName(name, change);

	return store.onFact((fact, before, after) => {
		if (fact.account !== key) return;
		const account = after.accounts.get(key) ?? emptyAccount;
		const earlier = before.accounts.get(key) ?? emptyAccount;
		if (account === earlier) return;
		// All panes learn of the same change, but only the terminal that a person used last rings.
		const isSharedRead = audienceByFact[fact.type] === 'followers';
		if (isSharedRead && sharedWatch?.isUsedLast() === false) return;
		if (earlier.contact && account.contact?.since !== earlier.contact.since)
			announcer.onReconnect();
		for (const change of changesBetween(earlier, account)) {
			const announcement = announcementOf(named(change), key, account, runwayOf);
			if (announcement) announcer.announce(announcement);
		}
	});
}

function announcementOf(
	change: Change,
	key: string,
	account: AccountState,
	runwayOf: ReturnType<typeof createRunwaySelector>,
): Announcement | undefined {
	if (change.type === 'statusChanged' && change.to !== null && phaseOf(change.to) === 'error') {
		const { id, name = id } = change;
		return { kind: 'computerFailed', subjectKey: `${key} ${id}`, text: `${name} is in error` };
	}
	if (change.type === 'accountNoted' && change.event === 'creditsLow') {
		const { line } = creditsWords(account.credits, runwayOf(account));
		return { kind: 'creditsLow', subjectKey: key, text: `${change.name ?? key}: ${line}` };
	}
	if (change.type !== 'operationMoved' || change.pane !== undefined) return undefined;
	const outcome = loggedOutcome(change, account.operations.get(change.wish.key));
	if (outcome.stage !== 'done' && !outcome.isFinal) return undefined;
	const subjectKey = `${key} ${change.wish.key}`;
	return { kind: 'operationEnded', subjectKey, text: outcomeText(outcome) };
}

function titleText({ total, phases }: ReturnType<typeof phaseCountsOf>): string {
	const wordCounts = [
		[phases.active, 'active'],
		[phases.creating, 'creating'],
		[phases.error, 'in error'],
	] as const;
	const counts = wordCounts.flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
	return total === 0 ? 'crowsnest' : `crowsnest: ${counts.join(', ') || `${total} computers`}`;
}

type Announcement = {
	kind: 'operationEnded' | 'computerFailed' | 'creditsLow';
	subjectKey: string;
	text: string;
};

export type Announcer = {
	announce(announcement: Announcement): void;
	/** Delays announcements after an outage, so that the many changes that arrive then are announced together. */
	onReconnect(): void;
};

const gatheringPeriodMs = 1500;
const quietAfterReconnectMs = 15_000;
const minIntervalMs = 20_000;
const repeatAfterMs = 10 * 60_000;

const pluralTextsByKind: Readonly<Record<Announcement['kind'], string>> = {
	operationEnded: 'operations ended',
	computerFailed: 'computers failed',
	creditsLow: 'accounts are low on credits',
};

/** Announces events by the rules. It groups simultaneous events, drops repeated ones and limits the rate. */
export function createAnnouncer(
	{ ringBell, notify }: Pick<Terminal, 'ringBell' | 'notify'>,
	rules: Pick<Preferences['notify'], Announcement['kind']>,
	clock: Clock,
): Announcer {
	const announcedAt = new Map<string, number>();
	let waiting: readonly Announcement[] = [];
	let quietUntil = Number.NEGATIVE_INFINITY;

	function announceWaiting() {
		const now = clock.monotonic();
		if (quietUntil > now) {
			clock.after(quietUntil - now, announceWaiting);
			return;
		}
		const notified = waiting.filter(({ kind }) => rules[kind] === 'notify');
		waiting = [];
		quietUntil = now + minIntervalMs;
		if (notified.length > 0) notify(summaryText(notified));
		else ringBell();
	}

	return {
		announce(announcement) {
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
		onReconnect() {
			quietUntil = Math.max(quietUntil, clock.monotonic() + quietAfterReconnectMs);
		},
	};
}

function summaryText(events: readonly Announcement[]): string {
	if (events.length <= 2) return events.map(({ text }) => text).join('; ');
	const kinds = [...new Set(events.map(({ kind }) => kind))];
	return kinds.map(kind => textOfKind(events.filter(event => event.kind === kind))).join('; ');
}

function textOfKind(events: readonly Announcement[]): string {
	const [first] = events;
	if (!first) return '';
	return events.length === 1 ? first.text : `${events.length} ${pluralTextsByKind[first.kind]}`;
}
