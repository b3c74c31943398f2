import { durationText } from '../../foundation/duration.ts';
import { amountText } from '../../foundation/number-text.ts';
import type { OperationRow, QuestionContext, QuestionLinesOf, Target } from './operation-row.ts';

// Texts of questions. They promise only what the documentation of the platform promises.

const possessiveOf = (targets: readonly Target[]) => (targets.length > 1 ? 'Their' : 'Its');
const pronounOf = (targets: readonly Target[]) => (targets.length > 1 ? 'They' : 'It');
const pluralEnding = (targets: readonly Target[]) => (targets.length > 1 ? '' : 's');

const questionLines = {
	create: (_, circumstances) => [
		`Once ready, it burns credits until stopped${idleText(circumstances)}.`,
		...burnLines(1, circumstances),
		remainingCreatesText(circumstances),
		...usualDurationText('to be ready', circumstances),
	],
	start: (targets, circumstances) => [
		`${pronounOf(targets)} run${pluralEnding(targets)} and burn${pluralEnding(targets)} credits until stopped${idleText(circumstances)}.`,
		`Files and processes are kept. Starting takes 5 to 15 s${targets.length > 1 ? ' each' : ''}.`,
		...burnLines(targets.length, circumstances),
	],
	stop: targets => [
		`${pronounOf(targets)} stop${pluralEnding(targets)} answering and free${pluralEnding(targets)} ${targets.length > 1 ? 'their' : 'its'} CPU and memory until started again.`,
		'Files and processes are kept.',
	],
	restart: targets => [`${possessiveOf(targets)} running processes end. /workspace is kept.`],
	update: (targets, circumstances) => [
		...versionText(targets, circumstances),
		`${possessiveOf(targets)} container${targets.length > 1 ? 's restart' : ' restarts'}: running processes end. /workspace is kept.`,
		'There is no automatic rollback.',
	],
	publish: targets => [
		'Treat it as public: anyone with the address can reach what listens there.',
		'It stays published as long as an application listens on that port.',
		...publishedText(targets),
	],
	unpublish: targets => [
		'The public address and its shared links stop answering.',
		'The application itself keeps running.',
		...publishedText(targets),
	],
	delete: targets => [
		`Erases ${targets.length > 1 ? 'them' : 'it'} for good: workspace, chat history, packages, settings.`,
		'This cannot be undone.',
	],
} satisfies Readonly<Record<string, QuestionLinesOf>>;

/** The short forms of the lines, in at most 24 cells, which is the width of the smallest dialog. */
const shortConsequences = {
	create: () => ['Burns credits.'],
	start: () => ['Burns credits.'],
	stop: targets => [targets.length > 1 ? 'They stop answering.' : 'It stops answering.'],
	restart: targets => [`${possessiveOf(targets)} processes end.`],
	update: targets => [`${possessiveOf(targets)} processes end.`, 'No automatic rollback.'],
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
	createBudget: { limit, requestsLeft, nextRequestAt },
	now,
}: QuestionContext): string {
	const free = requestsLeft.operation;
	if (free > 0) return `${free} of ${limit} creations left this hour.`;
	const wait = durationText(nextRequestAt.operation - now);
	return `No creations left this hour (${limit} allowed): this creation waits ${wait}; Esc cancels it.`;
}

function idleText({ idleLimitMs, planName }: QuestionContext): string {
	if (idleLimitMs === undefined || !Number.isFinite(idleLimitMs)) return '';
	return ` or idle for ${durationText(idleLimitMs)}${planName ? ` (${planName})` : ''}`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A shorter time is called about as long if it is less than this part shorter. */
const smallShare = 0.02;

// The platform does not report prices, so the recent burn rate per running computer serves as the estimate.
function burnLines(
	count: number,
	{ credits, runway, activeCount }: QuestionContext,
): readonly string[] {
	if (credits?.canRun === false) return ['The platform reports too few credits to run a computer.'];
	const balance = credits?.balance;
	if (typeof balance !== 'number') return [];
	const left = amountText(balance);
	if (!runway || activeCount === 0 || runway.burnPerHour <= 0)
		return [`${left} credits left; the price is unknown.`];
	const more = (runway.burnPerHour / activeCount) * count;
	if (more < 0.005) return [`${left} credits left, at less than 0.01 an hour.`];
	const lastsMs = (burn: number) => (Math.max(0, balance) / burn) * hourMs;
	const beforeMs = lastsMs(runway.burnPerHour);
	const afterMs = lastsMs(runway.burnPerHour + more);
	const [before, after] = [durationText(beforeMs), durationText(afterMs)];
	// Two rounded times would make a small difference look like a whole hour.
	const smallest = Math.max(beforeMs * smallShare, beforeMs < dayMs ? minuteMs : hourMs);
	return [
		`About ${amountText(more)} credits an hour.`,
		beforeMs - afterMs < smallest
			? `The ${left} credits left last about as long as now: ${after}.`
			: `The ${left} credits left then last ${after} instead of ${before}.`,
	];
}

function usualDurationText(
	to: string,
	{ usualDurationMs: time }: QuestionContext,
): readonly string[] {
	return time === undefined ? [] : [`It usually takes ${durationText(time)} ${to}.`];
}

function versionText(
	targets: readonly Target[],
	{ latestVersion, releaseTitle }: QuestionContext,
): readonly string[] {
	const to = latestVersion ?? 'the latest version';
	const counts = new Map<string, number>();
	for (const { version } of targets) {
		const from = version === undefined ? 'version not read yet' : version || 'unknown';
		counts.set(from, (counts.get(from) ?? 0) + 1);
	}
	const moves = [...counts].map(([from, count]) =>
		targets.length > 1 ? `${from} → ${to} (${count})` : `${from} → ${to}`,
	);
	return [`${moves.join(', ')}${releaseTitle ? `: ${releaseTitle}` : ''}`];
}

function publishedText(targets: readonly Target[]): readonly string[] {
	const [only] = targets;
	if (targets.length !== 1 || !only?.ports) return [];
	return only.ports.length > 0 ? [`Published now: ${only.ports.join(' ')}`] : [];
}
