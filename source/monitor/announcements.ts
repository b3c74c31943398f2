import type { Preferences } from '../accounts/setting-table.ts';
import type { Change } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AccountSession } from '../session/session.ts';
import { changesBetween } from '../store/change-log.ts';
import { createPhasesSelector, createRunwaySelector } from '../store/selectors.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { outcomeWords } from '../wording/phrases/outcome-text.ts';
import { creditsWords } from '../wording/views/credits-text.ts';
import { loggedOutcome } from '../wording/views/log-text.ts';
import {
	type Announcement,
	type AnnouncementRules,
	createAnnouncer,
	defaultRules,
} from './announcer.ts';

type AnnouncementDeps = {
	session: AccountSession;
	terminal: Pick<Terminal, 'setTitle' | 'ringBell' | 'notify'>;
	clock: Clock;
	/** The settings that say how each kind of event is announced; undefined for the defaults. */
	announcementSettings?: Preferences['notify'] | undefined;
};

/** Announces events of the fleet by the terminal's title, its bell and its notifications. */
export function startAnnouncing({
	session,
	terminal,
	clock,
	announcementSettings,
}: AnnouncementDeps): () => void {
	const { account: name, store } = session;
	const announcer = createAnnouncer({
		rules: announcementSettings ? rulesFrom(announcementSettings) : defaultRules,
		clock,
		ringBell: terminal.ringBell,
		notify: terminal.notify,
	});
	const phasesOf = createPhasesSelector();
	const runwayOf = createRunwaySelector();
	let title = '';

	function updateTitle(account: AccountState) {
		const nextTitle = titleText(phasesOf(account));
		if (nextTitle !== title) terminal.setTitle(nextTitle);
		title = nextTitle;
	}

	function announceLowCredits(account: AccountState) {
		const lowCreditsMs = announcementSettings?.creditsLeft;
		const { credits } = account;
		const { state, line } = creditsWords({
			...{ credits, runway: runwayOf(account) },
			...(lowCreditsMs !== undefined && { lowCreditsMs }),
		});
		if (state !== 'low' && state !== 'tooFew') return;
		announcer.announce({ kind: 'creditsLow', subjectKey: name, text: `${name}: ${line}` });
	}

	// The first reads after the start report old changes: they differ from the snapshot of an earlier run.
	announcer.onReconnect();
	updateTitle(store.getState().accounts.get(name) ?? emptyAccount);
	return store.witness((fact, before, after) => {
		const account = after.accounts.get(name) ?? emptyAccount;
		const earlier = before.accounts.get(name) ?? emptyAccount;
		if (account === earlier) return;
		if (earlier.contact && account.contact?.since !== earlier.contact.since)
			announcer.onReconnect();
		const newChanges = changesBetween(earlier, account);
		for (const announcement of newChanges.flatMap(each => announcementsOf(each, account)))
			announcer.announce(announcement);
		if (fact.type === 'creditsRead') announceLowCredits(account);
		updateTitle(account);
	});
}

function rulesFrom({
	operationEnded,
	computerFailed,
	creditsLow,
}: Preferences['notify']): AnnouncementRules {
	const ruleFrom = (attention: typeof operationEnded) =>
		attention === 'off' ? 'nothing' : attention;
	return {
		operationEnded: ruleFrom(operationEnded),
		computerFailed: ruleFrom(computerFailed),
		creditsLow: ruleFrom(creditsLow),
	};
}

function announcementsOf(change: Change, { operations }: AccountState): readonly Announcement[] {
	if (change.type === 'statusChanged' && change.to !== null && phaseOf(change.to) === 'error') {
		const { id, name = id } = change;
		return [{ kind: 'computerFailed', subjectKey: id, text: `${name} is in error` }];
	}
	if (change.type !== 'operationMoved') return [];
	const outcome = loggedOutcome(change, operations.get(change.wish.key));
	if (outcome.stage !== 'done' && !outcome.isFinal) return [];
	const { line: text } = outcomeWords(outcome);
	return [{ kind: 'operationEnded', subjectKey: change.wish.key, text }];
}

function titleText({ total, phases }: ReturnType<ReturnType<typeof createPhasesSelector>>): string {
	const wordCounts = [
		[phases.active, 'active'],
		[phases.creating, 'creating'],
		[phases.error, 'in error'],
	] as const;
	const counts = wordCounts.flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
	return total === 0 ? 'crowsnest' : `crowsnest: ${counts.join(', ') || `${total} computers`}`;
}
