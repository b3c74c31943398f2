import { computerName } from '../../fleet/computers/computer.ts';
import {
	computerIn,
	entryIdOf,
	type LogEntry,
	latestOf,
	logEntries,
	movesOf,
} from '../../fleet/log-entries.ts';
import type { Clock } from '../../foundation/clock.ts';
import { durationText } from '../../foundation/duration.ts';
import { firstNamesAndCount } from '../../foundation/number-text.ts';
import { isSpoken, spellOut, spokenSpans, spokenText } from '../../lines/print.ts';
import { type FailingRead, failingReadOf } from '../../store/freshness.ts';
import { batchesOf } from '../../store/our-operations.ts';
import { portLines } from '../../views/detail.ts';
import { statusWord } from '../../views/fleet/status.ts';
import { entryText, loggedOutcome, ownEmailsIn } from '../../views/log.ts';
import { creditsWords } from '../../views/phrases/billing.ts';
import { endedFractionOf, outcomeSentences } from '../../views/phrases/outcome.ts';
import { readAgainText, troubleSentences } from '../../views/phrases/reads.ts';
import { waitsForRateLimitText } from '../../views/phrases/waiting.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { Scene } from '../../views/scene.ts';
import { underWayIn } from '../../views/under-way.ts';

/** What is under way is said this long after it has changed, so that steps within a moment are one. */
const settlingMs = 100;

/** New entries of the log within this time are said together. */
const gatheringMs = 1_000;

/** A line that may be news, with what makes it new. */
type Said = { id: string; words: string };

/** Says what happens from now on. The caller calls `update` whenever something may have happened. */
export function createNews(
	clock: Clock,
	sceneNow: () => Scene,
	say: (lines: readonly string[]) => void,
) {
	const startedAt = clock.now();
	const newUnderWay = newSince(() => underWayLines(sceneNow()));
	const newEntries = newSince(() => entriesSince(startedAt, sceneNow()));
	let before = sceneNow();
	let cancelSettling: (() => void) | undefined;
	let cancelGathering: (() => void) | undefined;

	return {
		update() {
			cancelSettling ??= clock.after(settlingMs, () => {
				cancelSettling = undefined;
				const scene = sceneNow();
				say([
					...newUnderWay().map(({ text }) => `${text}.`),
					...portNews(before, scene),
					...readNews(before, scene),
					...rateLimitNews(before, scene),
					...creditsNews(before, scene),
				]);
				before = scene;
			});
			cancelGathering ??= clock.after(gatheringMs, () => {
				cancelGathering = undefined;
				say(linesOfEntries(newEntries()));
			});
		},
		close() {
			cancelSettling?.();
			cancelGathering?.();
		},
	};
}

/** Each call returns the lines that are new since the last one. */
function newSince<S extends Said>(linesNow: () => readonly S[]): () => readonly S[] {
	let before = linesNow();
	return () => {
		const lines = linesNow();
		const isOld = ({ id, words }: S) => before.some(each => each.id === id && each.words === words);
		const news = lines.filter(each => !isOld(each));
		before = lines;
		return news;
	};
}

/** A batch is said again when another quarter of it has ended. */
const progressSteps = 4;

/** The lines of what is under way, oldest first. Running numbers do not make them new. */
function underWayLines(scene: Scene): readonly (Said & { text: string })[] {
	const batches = batchesOf(scene.account);
	const lines = underWayIn(scene).lines.filter(isSpoken).toReversed();
	return lines.map(line => {
		const { id = '' } = line;
		const text = spokenText(line).replace(/^[\d:]+ |,? 0 seconds$/g, '');
		const batch = batches.get(id);
		if (!batch) return { id, text, words: text.replace(/ ?\d+ \w+/g, '') };
		const steps = batch.total < 2 * progressSteps ? 0 : progressSteps;
		const step = Math.floor(endedFractionOf(batch) * steps);
		const words = `${step} ${text.match(/queued|failed|unknown|on hold/g)}`;
		const isQueued = text.includes('queued') && scene.canChange;
		return { id, text: isQueued ? `${text}. Capital J shows all` : text, words };
	});
}

type SaidEntry = Said & { entry: LogEntry };

/** The entries of the log since this time, oldest first. An error whose reason is read later is new again. */
function entriesSince(startedAt: number, scene: Scene): readonly SaidEntry[] {
	const { isAbout } = underWayIn(scene);
	return logEntries(scene.account.changes)
		.filter(entry => {
			const { at, type } = latestOf(entry);
			const steps = movesOf(entry).map(({ to }) => to);
			// Failing reads and the credits are said as they stand, and the notice of a key says what it has cancelled.
			const isCancelled = steps.includes('cancelled') && scene.screen.notice !== undefined;
			if (at < startedAt || type === 'accountNoted' || isCancelled) return false;
			// What was unknown may be under way again by now, but a person has to hear of it.
			return !isAbout(entry) || steps.includes('unknown');
		})
		.map(entry => ({ id: entryIdOf(entry), words: entryLine(entry, scene), entry }))
		.toReversed();
}

const maxSaidSeparately = 3;

/** The lines of entries. More than three changes of one kind are one line. */
function linesOfEntries(said: readonly SaidEntry[]): readonly string[] {
	const kinds = said.map(({ entry }) => kindOf(entry));
	return said.flatMap(({ words }, at) => {
		const kind = kinds[at];
		const alike = kind === undefined ? [] : said.filter((_, other) => kinds[other] === kind);
		if (alike.length <= maxSaidSeparately) return [words];
		const names = alike.map(({ entry }) => computerIn(entry)?.name ?? '');
		const text = `${pluralize(alike.length, 'computer')} ${kind}: ${firstNamesAndCount(names)}.`;
		return kinds.indexOf(kind) === at ? [text] : [];
	});
}

/** What has happened to the computer of an entry, in words that fit several; undefined for an operation. */
function kindOf(entry: LogEntry): string | undefined {
	if (entry.type !== 'change' || entry.change.type !== 'statusChanged') return undefined;
	const { from, to } = entry.change;
	if (to === null) return 'are gone';
	return from === null ? 'are new' : `became ${statusWord(to)}`;
}

function entryLine(entry: LogEntry, { account, accounts }: Scene): string {
	const [move, ...others] = movesOf(entry);
	const isDone = move === undefined || others.length > 0 || move.to === 'settled';
	return isDone
		? `${spokenSpans(entryText(entry, ownEmailsIn(accounts)))}.`
		: outcomeSentences(loggedOutcome(move, account.operations.get(move.wish.key)));
}

function portNews(before: Scene, after: Scene): readonly string[] {
	return after.operationsState.portChecks.flatMap(check => {
		const row = after.shown.allRows.find(({ id }) => id === check.id);
		if (!row || before.operationsState.portChecks.includes(check)) return [];
		const lines = portLines(row, after).filter(isSpoken).map(spokenText);
		const line = lines.find(text => text.startsWith(`${check.port}:`));
		return line === undefined ? [] : [`${computerName(row.computer)}: port ${line}.`];
	});
}

/** The failing read, once it is certain. One lost answer is not, and a limit that is used up has its own words. */
export function failureIn({ account, now }: Scene): FailingRead | undefined {
	const failing = failingReadOf(account, now);
	const { failure, attempts } = failing?.streak ?? { attempts: 0 };
	const isCertain = attempts > 1 || failure?.kind === 'auth' || failure?.kind === 'denied';
	return isCertain && failure?.kind !== 'limited' ? failing : undefined;
}

function readNews(before: Scene, after: Scene): readonly string[] {
	const [was, is] = [failureIn(before), failureIn(after)];
	if (is && is.streak.failure.kind !== was?.streak.failure.kind)
		return [troubleSentences(is, after.now)];
	if (!was || is) return [];
	const lasted = spellOut(durationText(after.now - was.streak.firstFailedAt));
	return [`${readAgainText(was.read)}, after ${lasted}.`];
}

const limits = [
	['create', 'creating'],
	['status', 'statuses'],
	['other', 'other requests'],
] as const;

const rateLimitNews = (before: Scene, after: Scene): readonly string[] =>
	limits.flatMap(([scope, name]) => {
		const [was, left = 0] = [before, after].map(({ account, now }) =>
			Math.max(0, (account.standings?.[scope].frozenUntil ?? 0) - now),
		);
		if (!was === !left) return [];
		if (left === 0) return [`The rate limit of ${name} is over.`];
		return [`${waitsForRateLimitText} of ${name}, about ${spellOut(durationText(left))} left.`];
	});

function creditsNews(before: Scene, after: Scene): readonly string[] {
	const wordsOf = ({ account: { credits }, runway }: Scene) => creditsWords(credits, runway);
	const { state, line } = wordsOf(after);
	return state && state !== wordsOf(before).state ? [`${spellOut(line)}.`] : [];
}
