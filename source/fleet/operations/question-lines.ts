import { durationText } from '../../foundation/duration.ts';
import { amountText, countText } from '../../foundation/number-text.ts';
import { weekdayTimeText } from '../../lines/time-text.ts';
import { renewsAtOf } from '../computers/account.ts';
import { timeLeftAt } from '../computers/runway.ts';
import { idleLimitMsOf } from '../computers/stop-reason.ts';
import type { QuestionContext, Target } from './operation-row.ts';

// They promise only what the documentation of the platform promises.

export const wordsFor = ({ areSeveral }: QuestionContext) =>
	areSeveral
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

export function idleText({ subscription }: QuestionContext): string {
	const limit = idleLimitMsOf(subscription?.plan) ?? Number.POSITIVE_INFINITY;
	if (!subscription || !Number.isFinite(limit)) return '';
	return ` or idle for ${durationText(limit)} (${subscription.planName})`;
}

export const activeCountIn = (targets: readonly Target[]) =>
	targets.filter(({ phase }) => phase === 'active').length;

/** The platform reports no prices, so what an active computer has cost lately serves as the estimate. */
export function moneyLines(
	moreActive: number,
	{ credits, runway, subscription, now }: QuestionContext,
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
	const begin = `${verb} about ${amountText(Math.abs(more))} an hour;`;
	if (after === null) return [`${begin} then none are spent.`];
	const [lasts, lasted] = [after, before ?? after].map(durationText);
	const instead = lasts === lasted ? '' : ` instead of ${lasted}`;
	const renewsAt = renewsAtOf(subscription) ?? 0;
	const renewal =
		renewsAt <= now || now + after < renewsAt
			? ''
			: `; renews ${weekdayTimeText(renewsAt, now)}, amount unknown`;
	return [`${begin} credits then last ${lasts}${instead}${renewal}.`];
}

export function usualDurationText(
	to: string,
	{ usualDurationMs: time }: QuestionContext,
): readonly string[] {
	return time === undefined ? [] : [`It usually takes ${durationText(time)} ${to}.`];
}

export function versionText(
	targets: readonly Target[],
	{ release, areSeveral }: QuestionContext,
): string {
	const { version: to = 'the latest version', title } = release ?? {};
	const counts = new Map<string, number>();
	for (const { version } of targets) {
		const from = version === undefined ? 'version not read yet' : version || 'unknown';
		counts.set(from, (counts.get(from) ?? 0) + 1);
	}
	const moves = [...counts].map(([from, count]) =>
		areSeveral ? `${from} → ${to} (${count})` : `${from} → ${to}`,
	);
	return `${moves.join(', ')}${title ? `: ${title}` : ''}`;
}

const maxAddressesShown = 3;

export function darkAddresses(
	targets: readonly Target[],
	{ areSeveral }: QuestionContext,
): readonly string[] {
	const publishing = targets.filter(({ ports }) => ports !== undefined && ports.length > 0);
	const shown = publishing.slice(0, maxAddressesShown);
	const more = publishing.length - shown.length;
	const texts = shown.map(({ name, ports = [] }) =>
		areSeveral ? `${name} ${ports.join(' ')}` : `port ${ports.join(' ')}`,
	);
	if (texts.length === 0) return [];
	const rest = more > 0 ? ` and those of ${countText(more)} more` : '';
	return [`Public addresses go dark: ${texts.join(', ')}${rest}.`];
}
