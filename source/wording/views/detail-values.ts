import type { LabelledValue } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import { timeText } from '../../drawing/time-text.ts';
import { isOutdated } from '../../fleet/computers/version.ts';
import { type StatusAnswer, statusAnswerOf } from '../../store/answer-times.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import type { CellContext } from '../table/cell-context.ts';
import { autoSleepText } from './billing-text.ts';

/**
 * Lists the properties of a computer, each with its label. Properties that the platform does not report are
 * left out.
 */
export function detailValues(
	account: AccountState,
	computer: ComputerState,
	context: CellContext,
): readonly LabelledValue[] {
	const { reading } = computer;
	const { subscription } = account;
	const text = (value: string | null | undefined): readonly Span[] => (value ? [[value]] : []);
	const timeValue = (at: number | null | undefined) =>
		typeof at === 'number' ? pastTimeSpans(at, context) : [];
	const values: readonly LabelledValue[] = [
		['Address', text(reading.address)],
		['Version', versionSpans(computer, context)],
		['Status', platformStatusSpans(computer, context)],
		['Data', dataAgeSpans(account, computer, context)],
		['Created', timeValue(reading.createdAt)],
		['Started', timeValue(reading.startedAt)],
		['Changed', timeValue(reading.updatedAt)],
		[
			'Plan',
			text(
				subscription && `${subscription.planName}, auto-sleep ${autoSleepText(subscription.plan)}`,
			),
		],
		['Location', text(reading.location)],
		['Server', text(reading.serverType)],
		['Provider', text(reading.provider)],
	];
	return values.filter(([, value]) => value.length > 0);
}

function pastTimeSpans(at: number, { now, theme }: CellContext): readonly Span[] {
	return [[timeText(at, now)], [` (${theme.times.age(now - at)} ago)`, 'faint']];
}

function versionSpans(
	{ reading }: ComputerState,
	{ latestVersion, theme }: CellContext,
): readonly Span[] {
	const { version } = reading;
	if (!version)
		return [[latestVersion ? `unknown, latest is ${latestVersion}` : 'unknown', 'faint']];
	if (isOutdated(version, latestVersion)) {
		return [[version], [` ${theme.glyphs.updateAvailable} ${latestVersion} is out`, 'accent']];
	}
	return version === latestVersion ? [[version], [' (latest)', 'faint']] : [[version]];
}

/**
 * Shows the status in the platform's own word, unlike other texts, which show the phase that the status
 * stands for.
 */
function platformStatusSpans(
	{ reading, since }: ComputerState,
	{ now, theme }: CellContext,
): readonly Span[] {
	const status = reading.status ?? 'not reported';
	const time = timeText(since.at, now);
	if (!since.isLowerBound) return [[status], [` since ${time}`, 'faint']];
	const lasted = theme.times.compactDuration(now - since.at);
	return [[status], [` for at least ${lasted} (watched since ${time})`, 'faint']];
}

const sourceNames: Readonly<Record<StatusAnswer['from'], string>> = {
	list: 'list',
	status: 'status',
	detail: 'record',
	recalled: 'an earlier run',
	operation: 'an operation',
};

function dataAgeSpans(
	account: AccountState,
	computer: ComputerState,
	{ now, theme }: CellContext,
): readonly Span[] {
	const answer = statusAnswerOf(account, computer);
	const age: Span = answer
		? [`${theme.times.duration(now - answer.at)} old (from: ${sourceNames[answer.from]})`]
		: ['not read yet', 'faint'];
	const { failing } = account.computerReads.get(computer.id) ?? {};
	const failure = (failing?.status ?? failing?.detail)?.failure;
	return failure ? [age, [`; the next read failed: ${failure.message}`, 'busy']] : [age];
}
