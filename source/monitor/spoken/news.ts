import { accountEvents } from '../../fleet/change.ts';
import { computerName } from '../../fleet/computers/computer.ts';
import {
	computerIn,
	entryIdOf,
	type LogEntry,
	latestOf,
	logEntries,
	movesOf,
} from '../../fleet/log-entries.ts';
import { readOfView } from '../../fleet/reads.ts';
import type { Clock } from '../../foundation/clock.ts';
import { durationText } from '../../foundation/duration.ts';
import { firstNamesAndCount } from '../../foundation/number-text.ts';
import { isSpoken, spellOut, spokenSpans, spokenText } from '../../lines/print.ts';
import { batchesOf } from '../../store/our-operations.ts';
import { portLines } from '../../views/detail.ts';
import { statusWord } from '../../views/fleet/status.ts';
import { proposalIn } from '../../views/frame/messages.ts';
import { keyHint, spokenKey } from '../../views/keys.ts';
import { entryText, loggedOutcome, ownEmailsIn } from '../../views/phrases/entry.ts';
import { endedFractionOf, outcomeSentences } from '../../views/phrases/outcome.ts';
import { readAgainText, troubleSentences } from '../../views/phrases/reads.ts';
import { waitsForRateLimitText } from '../../views/phrases/waiting.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { Scene } from '../../views/scene.ts';
import { underWayIn } from '../../views/under-way.ts';
import { failureIn } from './answer.ts';

/** Something that holds now. It is said when it begins or becomes something else, and perhaps when it is over. */
type Condition = {
	id: string;
	/** What makes it news again, unlike a running number in its text. */
	what: unknown;
	text: string;
	sayEnd?: (after: Scene) => string;
	/** What has happened to this computer, in words that fit several. */
	kind?: string | undefined;
	name?: string | undefined;
};

/** The caller calls `update` whenever something may have happened. */
export function createNews(
	clock: Clock,
	sceneNow: () => Scene,
	say: (lines: readonly string[]) => void,
) {
	const startedAt = clock.now();

	function sayChanges(delayMs: number, conditionsNow: (scene: Scene) => readonly Condition[]) {
		let conditions = conditionsNow(sceneNow());
		let cancelTimer: (() => void) | undefined;

		function sayWhatChanged() {
			cancelTimer = undefined;
			const scene = sceneNow();
			const before = conditions;
			conditions = conditionsNow(scene);
			const begun = conditions.filter(
				({ id, what }) => !before.some(each => each.id === id && each.what === what),
			);
			const ended = before.filter(({ id }) => !conditions.some(each => each.id === id));
			const ends = ended.map(({ sayEnd }) => sayEnd?.(scene) ?? '');
			say([...ends, ...linesOf(begun)].filter(Boolean));
		}

		return {
			update: () => (cancelTimer ??= clock.after(delayMs, sayWhatChanged)),
			close: () => cancelTimer?.(),
		};
	}

	return [
		// Steps within a moment are one.
		sayChanges(100, conditionsIn),
		// Changes of many computers within a second are one line.
		sayChanges(1_000, scene => newEntries(startedAt, scene)),
	];
}

const conditionsIn = (scene: Scene): readonly Condition[] => [
	...underWay(scene),
	...checkedPorts(scene),
	...failingRead(scene),
	...usedUpLimits(scene),
	...readOfKey(scene),
	...proposed(scene),
];

function proposed(scene: Scene): readonly Condition[] {
	const { proposal, who, what } = proposalIn(scene) ?? {};
	if (!proposal) return [];
	const { key } = proposal;
	const asks = keyHint(scene, 'openProposal', 'asks,', ' ', spokenKey);
	const text = `${who}${what};${asks} Escape dismisses.`;
	return [{ id: `proposal ${key}`, what: key, text }];
}

const progressSteps = 4;

/** Oldest first. Running numbers do not make a line new. */
function underWay(scene: Scene): readonly Condition[] {
	const batches = batchesOf(scene);
	const lines = underWayIn(scene).lines.filter(isSpoken).toReversed();
	return lines.map(line => {
		const { id = '' } = line;
		const text = spokenText(line).replace(/^[\d:]+ |,? 0 seconds$/g, '');
		const batch = batches.get(id);
		if (!batch) return { id, text: `${text}.`, what: text.replace(/ ?\d+ \w+/g, '') };
		const steps = batch.total < 2 * progressSteps ? 0 : progressSteps;
		const step = Math.floor(endedFractionOf(batch) * steps);
		const what = `${step} ${text.match(/queued|failed|unknown|on hold/g)}`;
		const isQueued = text.includes('queued') && scene.canChange;
		const hint = isQueued ? keyHint(scene, 'underWay', 'shows all', '; ', spokenKey) : '';
		return { id, text: `${text}${hint}.`, what };
	});
}

/** Oldest first. An error whose reason is read later is new again. */
function newEntries(startedAt: number, scene: Scene): readonly Condition[] {
	const { isAbout } = underWayIn(scene);
	return logEntries(scene.changes)
		.filter(entry => {
			const change = latestOf(entry);
			// A failing read is said as long as it stands.
			const isSaid =
				change.type === 'accountNoted' && accountEvents[change.event].about === 'account';
			if (change.at < startedAt || isSaid) return false;
			// What was unknown may be under way again by now, but a person has to hear of it.
			return !isAbout(entry) || movesOf(entry).some(({ to }) => to === 'unknown');
		})
		.map(entry => {
			const what = entryLine(entry, scene);
			// The notice of a key says what it has cancelled.
			const isCancelled = movesOf(entry).some(({ to }) => to === 'cancelled');
			const text = isCancelled && scene.screen.notice ? '' : what;
			const name = computerIn(entry)?.name;
			return { id: `log ${entryIdOf(entry)}`, what, text, kind: kindOf(entry), name };
		})
		.toReversed();
}

const maxSaidSeparately = 3;

const linesOf = (said: readonly Condition[]): readonly string[] =>
	said.flatMap(each => {
		const { kind, text } = each;
		const alike = said.filter(other => kind !== undefined && other.kind === kind);
		if (alike.length <= maxSaidSeparately) return [text];
		const names = alike.map(({ name = '' }) => name);
		const sum = `${pluralize(alike.length, 'computer')} ${kind}: ${firstNamesAndCount(names)}.`;
		return alike[0] === each ? [sum] : [];
	});

function kindOf(entry: LogEntry): string | undefined {
	if (entry.type !== 'change' || entry.change.type !== 'statusChanged') return undefined;
	const { from, to } = entry.change;
	if (to === null) return 'are gone';
	return from === null ? 'are new' : `became ${statusWord(to)}`;
}

function entryLine(entry: LogEntry, { operations, accounts }: Scene): string {
	const [move, ...others] = movesOf(entry);
	const isDone = move === undefined || others.length > 0 || move.to === 'settled';
	return isDone
		? `${spokenSpans(entryText(entry, ownEmailsIn(accounts)))}.`
		: outcomeSentences(loggedOutcome(move, operations.get(move.wish.key)));
}

const checkedPorts = (scene: Scene): readonly Condition[] =>
	scene.operationsState.portChecks.flatMap(check => {
		const row = scene.shown.allRows.find(({ id }) => id === check.id);
		if (!row) return [];
		const lines = portLines(row, scene).filter(isSpoken).map(spokenText);
		const line = lines.find(text => text.startsWith(`${check.port}:`));
		const text = line === undefined ? '' : `${computerName(row.computer)}: port ${line}.`;
		return [{ id: `port ${check.id} ${check.port}`, what: check, text }];
	});

function failingRead(scene: Scene): readonly Condition[] {
	const failing = failureIn(scene);
	if (!failing) return [];
	const { read, streak } = failing;
	const sayEnd = ({ now }: Scene) =>
		`${readAgainText(read)}, after ${spellOut(durationText(now - streak.firstFailedAt))}.`;
	const text = troubleSentences(failing, scene.now);
	return [{ id: 'failing read', what: streak.failure.kind, text, sayEnd }];
}

const limits = [
	['create', 'creating'],
	['status', 'statuses'],
	['other', 'other requests'],
] as const;

const usedUpLimits = ({ account, now }: Scene): readonly Condition[] =>
	limits.flatMap(([scope, name]) => {
		const left = (account.standings?.[scope].frozenUntil ?? 0) - now;
		if (left <= 0) return [];
		const text = `${waitsForRateLimitText} of ${name}, about ${spellOut(durationText(left))} left.`;
		const sayEnd = () => `The rate limit of ${name} is over.`;
		return [{ id: `limit ${scope}`, what: scope, text, sayEnd }];
	});

function readOfKey({ account, screen: { notice, view } }: Scene): readonly Condition[] {
	if (!notice?.isAboutRead) return [];
	const { answer, failing } = account.reads[readOfView(view) ?? 'list'] ?? {};
	const isRead = (answer?.at ?? 0) >= notice.shownAt;
	if (!isRead && (failing?.lastFailedAt ?? 0) < notice.shownAt) return [];
	return [{ id: 'read of a key', what: notice, text: isRead ? 'Read.' : 'The read failed.' }];
}
