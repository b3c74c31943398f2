import { durationText } from '../../foundation/duration.ts';
import { amountText, countText } from '../../foundation/number-text.ts';
import { timeLeftAt } from '../computers/runway.ts';
import type { QuestionContext, Target } from './operation-row.ts';

// They promise only what the documentation of the platform promises.

export type Circumstances = Pick<QuestionContext, 'isOfSeveralAccounts'>;

export const areSeveral = (targets: readonly Target[], { isOfSeveralAccounts }: Circumstances) =>
	targets.length > 1 || isOfSeveralAccounts === true;

export const wordsFor = (targets: readonly Target[], circumstances: Circumstances) =>
	areSeveral(targets, circumstances)
		? { they: 'They', them: 'them', their: 'Their', s: '', restart: 's restart' }
		: { they: 'It', them: 'it', their: 'Its', s: 's', restart: ' restarts' };

export function remainingCreatesText({
	createSlots: { limit, free, nextAt },
	now,
}: QuestionContext): string {
	if (free.operation > 0) return `${free.operation} of ${limit} creations left this hour.`;
	const wait = durationText(nextAt.operation - now);
	return `No creations left this hour (${limit} allowed): this creation waits ${wait}; Esc cancels it.`;
}

export function idleText({ idleLimitMs, planName }: QuestionContext): string {
	if (idleLimitMs === undefined || !Number.isFinite(idleLimitMs)) return '';
	return ` or idle for ${durationText(idleLimitMs)}${planName ? ` (${planName})` : ''}`;
}

export const isAnyAlive = (targets: readonly Target[]) => targets.some(({ neverRan }) => !neverRan);

export const activeCountIn = (targets: readonly Target[]) =>
	targets.filter(({ phase }) => phase === 'active').length;

/** The platform reports no prices, so what an active computer has cost lately serves as the estimate. */
export function moneyLines(
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

function renewalText(at: number, now: number): string {
	const date = new Date(at);
	const twoDigits = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())];
	if (at - now > 6 * 24 * 3_600_000) return day.join('-');
	const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getDay()] ?? '';
	return `${weekday} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

export function usualDurationText(
	to: string,
	{ usualDurationMs: time }: QuestionContext,
): readonly string[] {
	return time === undefined ? [] : [`It usually takes ${durationText(time)} ${to}.`];
}

export function versionText(targets: readonly Target[], circumstances: QuestionContext): string {
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
	return `${moves.join(', ')}${releaseTitle ? `: ${releaseTitle}` : ''}`;
}

const maxAddressesShown = 3;

export function darkAddresses(
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
