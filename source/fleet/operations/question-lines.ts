import { durationText } from '../../foundation/duration.ts';
import { amountText, countText } from '../../foundation/number-text.ts';
import { timeLeftAt } from '../computers/runway.ts';
import type { OperationRow, QuestionContext, QuestionLinesOf, Target } from './operation-row.ts';

// Texts of questions. They promise only what the documentation of the platform promises.

export type Circumstances = Pick<QuestionContext, 'isOfSeveralAccounts'>;

export const areSeveral = (targets: readonly Target[], { isOfSeveralAccounts }: Circumstances) =>
	targets.length > 1 || isOfSeveralAccounts === true;

/** Words the lines for one computer or for several. */
const wordsFor = (targets: readonly Target[], circumstances: Circumstances) =>
	areSeveral(targets, circumstances)
		? { they: 'They', them: 'them', their: 'Their', s: '', restart: 's restart' }
		: { they: 'It', them: 'it', their: 'Its', s: 's', restart: ' restarts' };

const questionLines = {
	create: (_, circumstances) => [
		`Once ready, it burns credits until stopped${idleText(circumstances)}.`,
		...moneyLines(1, circumstances),
		remainingCreatesText(circumstances),
		...usualDurationText('to be ready', circumstances),
	],
	start(targets, circumstances) {
		const { they, s } = wordsFor(targets, circumstances);
		return [
			`${they} run${s} and burn${s} credits until stopped${idleText(circumstances)}.`,
			...moneyLines(targets.length, circumstances),
		];
	},
	stop(targets, circumstances) {
		const { they, s } = wordsFor(targets, circumstances);
		return [
			[
				`${they} stop${s} answering until started again.`,
				...keptLines(targets, 'Files and processes are kept.'),
			].join(' '),
			...darkAddresses(targets, circumstances),
			...moneyLines(-activeCountIn(targets), circumstances),
		];
	},
	restart(targets, circumstances) {
		const { they, their } = wordsFor(targets, circumstances);
		return isAnyAlive(targets)
			? [`${their} running processes end. /workspace is kept.`]
			: [`${they} never ran, so there is nothing to keep.`];
	},
	update(targets, circumstances) {
		const { their, restart } = wordsFor(targets, circumstances);
		return [
			...versionText(targets, circumstances),
			`${their} container${restart}: running processes end. /workspace is kept.`,
			'There is no automatic rollback.',
		];
	},
	publish: () => [
		'Treat it as public: anyone with the address can reach what listens there.',
		'It stays published as long as an application listens on that port.',
	],
	unpublish: () => [
		'The public address stops answering, and links that were shared may not come back.',
		'The application itself keeps running.',
	],
	delete: (targets, circumstances) => [
		`Erases ${wordsFor(targets, circumstances).them} for good: workspace, chat history, packages, settings.`,
		...moneyLines(-activeCountIn(targets), circumstances),
	],
} satisfies Readonly<Record<string, QuestionLinesOf>>;

/** The short forms of the lines, in at most 24 cells, which is the width of the smallest dialog. */
const shortConsequences = {
	create: () => ['Burns credits.'],
	start: () => ['Burns credits.'],
	stop: targets => [targets.length > 1 ? 'They stop answering.' : 'It stops answering.'],
	restart: targets => [`${targets.length > 1 ? 'Their' : 'Its'} processes end.`],
	update: targets => [
		`${targets.length > 1 ? 'Their' : 'Its'} processes end.`,
		'No automatic rollback.',
	],
	publish: () => ['Anyone can reach it.'],
	unpublish: () => ['Ends the public address.'],
	delete: targets => [`Erases ${targets.length > 1 ? 'them' : 'it'} for good.`],
} satisfies Readonly<Record<keyof typeof questionLines, OperationRow['shortConsequence']>>;

/** What the question about each operation says. */
export const questionTexts = {
	create: textsOf('create'),
	start: textsOf('start'),
	stop: textsOf('stop'),
	restart: textsOf('restart'),
	update: textsOf('update'),
	delete: textsOf('delete'),
	publish: textsOf('publish'),
	unpublish: textsOf('unpublish'),
};

function textsOf(operation: keyof typeof questionLines) {
	return {
		questionLines: questionLines[operation],
		shortConsequence: shortConsequences[operation],
	} satisfies Partial<OperationRow>;
}

function remainingCreatesText({
	createSlots: { limit, free, nextAt },
	now,
}: QuestionContext): string {
	if (free.operation > 0) return `${free.operation} of ${limit} creations left this hour.`;
	const wait = durationText(nextAt.operation - now);
	return `No creations left this hour (${limit} allowed): this creation waits ${wait}; Esc cancels it.`;
}

function idleText({ idleLimitMs, planName }: QuestionContext): string {
	if (idleLimitMs === undefined || !Number.isFinite(idleLimitMs)) return '';
	return ` or idle for ${durationText(idleLimitMs)}${planName ? ` (${planName})` : ''}`;
}

/** Whether any of the computers has ever run, so that it has files and processes. */
const isAnyAlive = (targets: readonly Target[]) => targets.some(({ neverRan }) => !neverRan);

const activeCountIn = (targets: readonly Target[]) =>
	targets.filter(({ phase }) => phase === 'active').length;

/**
 * Says what it costs or saves if this many more computers are active, and how long the credits then last. The platform
 * reports no prices, so what an active computer has cost lately serves as the estimate.
 */
function moneyLines(
	moreActive: number,
	{ credits, runway, renewsAt = Number.POSITIVE_INFINITY, now }: QuestionContext,
): readonly string[] {
	if (moreActive > 0 && credits?.canRun === false)
		return ['The platform reports too few credits to run a computer.'];
	const balance = credits?.balance;
	if (typeof balance !== 'number' || moreActive === 0) return [];
	const left = amountText(balance);
	if (!runway || runway.eachPerHour === undefined || runway.eachPerHour <= 0)
		return moreActive > 0 ? [`${left} credits left; the price is unknown.`] : [];
	const more = runway.eachPerHour * moreActive;
	if (Math.abs(more) < 0.005)
		return moreActive > 0 ? [`${left} credits left, at less than 0.01 an hour.`] : [];
	const verb = more > 0 ? 'Costs' : 'Saves';
	const before = timeLeftAt(balance, runway.burnPerHour);
	const after = timeLeftAt(balance, runway.burnPerHour + more);
	const lasts = (ms: number) => durationText(ms);
	const instead =
		before === null || (after !== null && lasts(after) === lasts(before))
			? ''
			: ` instead of ${lasts(before)}`;
	const then =
		after === null ? 'then none are spent' : `credits then last ${lasts(after)}${instead}`;
	const renewal =
		after === null || renewsAt <= now || now + after < renewsAt
			? ''
			: `; renews ${renewalText(renewsAt, now)}, amount unknown`;
	return [`${verb} about ${amountText(Math.abs(more))} an hour; ${then}${renewal}.`];
}

/** Writes the time of a renewal: with its weekday within six days, and else with its date. */
function renewalText(at: number, now: number): string {
	const date = new Date(at);
	const twoDigits = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())];
	if (at - now > 6 * 24 * 3_600_000) return day.join('-');
	const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getDay()] ?? '';
	return `${weekday} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

function usualDurationText(
	to: string,
	{ usualDurationMs: time }: QuestionContext,
): readonly string[] {
	return time === undefined ? [] : [`It usually takes ${durationText(time)} ${to}.`];
}

function versionText(
	targets: readonly Target[],
	circumstances: QuestionContext,
): readonly string[] {
	const { latestVersion, releaseTitle } = circumstances;
	const to = latestVersion ?? 'the latest version';
	const counts = new Map<string, number>();
	for (const { version } of targets) {
		const from = version === undefined ? 'version not read yet' : version || 'unknown';
		counts.set(from, (counts.get(from) ?? 0) + 1);
	}
	const moves = [...counts].map(([from, count]) =>
		areSeveral(targets, circumstances) ? `${from} → ${to} (${count})` : `${from} → ${to}`,
	);
	return [`${moves.join(', ')}${releaseTitle ? `: ${releaseTitle}` : ''}`];
}

const keptLines = (targets: readonly Target[], text: string) => (isAnyAlive(targets) ? [text] : []);

const maxAddressesShown = 3;

/** Says which public addresses stop answering. */
function darkAddresses(
	targets: readonly Target[],
	circumstances: Circumstances,
): readonly string[] {
	const publishing = targets.filter(({ ports }) => ports !== undefined && ports.length > 0);
	const shown = publishing.slice(0, maxAddressesShown);
	const more = publishing.length - shown.length;
	const texts = shown.map(({ name, ports = [] }) =>
		areSeveral(targets, circumstances) ? `${name} ${ports.join(' ')}` : `port ${ports.join(' ')}`,
	);
	if (texts.length === 0) return [];
	const rest = more > 0 ? ` and those of ${countText(more)} more` : '';
	return [`Public addresses go dark: ${texts.join(', ')}${rest}.`];
}
