import type { Change } from '../fleet/change.ts';
import type { Clock } from '../fleet/clock.ts';
import { phaseOf } from '../fleet/computer.ts';
import type { Preferences } from '../fleet/preferences.ts';
import { operationTable } from '../operations/operation-table.ts';
import type { AccountSession } from '../session/session.ts';
import { createPhasesOf, createRunwayOf } from '../store/selectors.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
	type Announcement,
	type AnnouncementRules,
	createAnnouncer,
	defaultRules,
} from './announcer.ts';

type AnnouncementDeps = {
	session: AccountSession;
	terminal: Pick<Terminal, 'setTitle' | 'bell' | 'notify'>;
	clock: Clock;
	/** Which events are announced, and how; the defaults without it. */
	notify?: Preferences['notify'];
};

const day = 86_400_000;

/** Announces events in the terminal's title, by the bell and by notifications. */
export function announce({ session, terminal, clock, notify }: AnnouncementDeps): () => void {
	const { account: name, store } = session;
	const announcer = createAnnouncer({
		rules: notify ? rulesFrom(notify) : defaultRules,
		clock,
		bell: terminal.bell,
		notify: terminal.notify,
	});
	const phasesOf = createPhasesOf();
	const runwayOf = createRunwayOf();
	let title = '';

	function updateTitle(account: AccountState) {
		const next = titleText(phasesOf(account));
		if (next !== title) terminal.setTitle(next);
		title = next;
	}

	function announceLowCredits(account: AccountState) {
		const { timeLeft } = runwayOf(account) ?? { timeLeft: null };
		const isLow = timeLeft !== null && timeLeft <= (notify?.creditsLeft ?? day);
		if (!isLow && account.credits?.canRun !== false) return;
		announcer.announce({ kind: 'creditsLow', about: name, text: `credits run low on ${name}` });
	}

	// The first answers differ from the snapshot of an earlier run, which is not news.
	announcer.reconnected();
	updateTitle(store.getState().accounts.get(name) ?? emptyAccount);
	return store.witness((fact, before, after) => {
		const account = after.accounts.get(name) ?? emptyAccount;
		const earlier = before.accounts.get(name) ?? emptyAccount;
		if (account === earlier) return;
		if (earlier.contact && account.contact?.since !== earlier.contact.since)
			announcer.reconnected();
		const fresh = account.changeCount - earlier.changeCount;
		if (fresh > 0 && fact.type !== 'pastRecalled') {
			for (const news of account.changes.slice(-fresh).flatMap(announcementsOf))
				announcer.announce(news);
		}
		if (fact.type === 'creditsRead') announceLowCredits(account);
		updateTitle(account);
	});
}

function rulesFrom({
	operationEnded,
	computerFailed,
	creditsLow,
}: Preferences['notify']): AnnouncementRules {
	const rule = (attention: typeof operationEnded) => (attention === 'off' ? 'nothing' : attention);
	return {
		operationEnded: rule(operationEnded),
		computerFailed: rule(computerFailed),
		creditsLow: rule(creditsLow),
	};
}

function announcementsOf(change: Change): readonly Announcement[] {
	if (change.type === 'statusChanged' && change.to !== null && phaseOf(change.to) === 'error') {
		const { id, name = id } = change;
		return [{ kind: 'computerFailed', about: id, text: `${name} is in error` }];
	}
	if (change.type !== 'operationMoved') return [];
	const { wish: spec, to } = change;
	const who = spec.name ?? spec.computer ?? 'a computer';
	const { label, done } = operationTable[spec.operation];
	const about = spec.key;
	if (to === 'settled') return [{ kind: 'operationEnded', about, text: `${who} was ${done}` }];
	if (to !== 'failed') return [];
	return [{ kind: 'operationEnded', about, text: `${label} ${who} failed` }];
}

function titleText({ total, phases }: ReturnType<ReturnType<typeof createPhasesOf>>): string {
	const parts = [
		[phases.active, 'active'],
		[phases.creating, 'creating'],
		[phases.error, 'in error'],
	] as const;
	const counts = parts.flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
	return total === 0 ? 'crowsnest' : `crowsnest: ${counts.join(', ') || `${total} computers`}`;
}
