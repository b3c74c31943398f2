import type { Span } from '../../drawing/span.ts';
import { timeText } from '../../drawing/time-text.ts';
import { type FieldWithOwnRead, isNotRead } from '../../fleet/computers/not-read.ts';
import { phaseStartOf } from '../../fleet/computers/uptime.ts';
import { isOutdated } from '../../fleet/computers/version.ts';
import { statusAnswerOf } from '../../store/freshness.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import type { CellContext } from '../table/cell-context.ts';
import { statusWord } from '../table/status-text.ts';
import { autoSleepText } from './billing-text.ts';

type DetailValue = {
	label: string;
	value: readonly Span[];
	/** Whether the details on screen show it. They say the rest in other places, such as the title. */
	isOnScreen?: true;
	/** Whether this program wrote the value. If so, speech spells out its units and signs. */
	isSentence?: true;
};

/** Lists the properties of a computer that the platform reports, each with its label. */
export function detailValues(
	account: AccountState,
	computer: ComputerState,
	context: CellContext,
): readonly DetailValue[] {
	const { reading } = computer;
	const { subscription } = account;
	const knownUntil = statusAnswerOf(account, computer)?.at ?? context.now;
	const text = (value: string | null | undefined): readonly Span[] => (value ? [[value]] : []);
	const unread = (field: FieldWithOwnRead): readonly Span[] | undefined =>
		isNotRead(field, computer, context.listFields)
			? [[context.theme.glyphs.notRead, 'faint']]
			: undefined;
	const timeValue = (at: number | null | undefined) =>
		typeof at === 'number' ? pastTimeSpans(at, context) : [];
	const plan =
		subscription && `${subscription.planName}, auto-sleep ${autoSleepText(subscription.plan)}`;
	const values: readonly DetailValue[] = [
		{ label: 'Address', value: unread('address') ?? text(reading.address), isOnScreen: true },
		{ label: 'Location', value: unread('location') ?? text(reading.location), isOnScreen: true },
		{
			label: 'Version',
			value: versionSpans(computer, context, unread('version')),
			isSentence: true,
		},
		{
			label: 'Status',
			value: platformStatusSpans(computer, knownUntil, context),
			isSentence: true,
		},
		{
			label: 'Created',
			value: timeValue(reading.createdAt),
			isOnScreen: true,
			isSentence: true,
		},
		{ label: 'Started', value: timeValue(reading.startedAt), isSentence: true },
		{ label: 'Changed', value: timeValue(reading.updatedAt), isSentence: true },
		{ label: 'Plan', value: text(plan), isSentence: true },
		{ label: 'Ports', value: unread('ports') ?? [] },
		{ label: 'Server', value: text(reading.serverType), isOnScreen: true },
		{ label: 'Provider', value: text(reading.provider), isOnScreen: true },
	];
	return values.filter(({ value }) => value.length > 0);
}

function pastTimeSpans(at: number, { now, theme }: CellContext): readonly Span[] {
	return [[timeText(at, now)], [` (${theme.times.ago(now - at)})`, 'faint']];
}

function versionSpans(
	{ reading }: ComputerState,
	{ latestVersion, theme }: CellContext,
	unread: readonly Span[] | undefined,
): readonly Span[] {
	const { version } = reading;
	if (unread)
		return latestVersion ? [...unread, [`, latest is ${latestVersion}`, 'faint']] : unread;
	if (!version)
		return [[latestVersion ? `unknown, latest is ${latestVersion}` : 'unknown', 'faint']];
	if (isOutdated(version, latestVersion)) {
		return [[version], [` ${theme.glyphs.updateAvailable} ${latestVersion} is out`, 'accent']];
	}
	return version === latestVersion ? [[version], [' (latest)', 'faint']] : [[version]];
}

/** Shows the status in the words of the table, with the time since when it is so. */
function platformStatusSpans(
	computer: ComputerState,
	knownUntil: number,
	{ now, theme }: CellContext,
): readonly Span[] {
	const { status: told } = computer.reading;
	const status = told === undefined ? 'not reported' : statusWord(told);
	const since = phaseStartOf(computer);
	const time = timeText(since.at, now);
	if (!since.isLowerBound) return [[status], [` since ${time}`, 'faint']];
	const lasted = theme.times.duration(Math.max(0, knownUntil - since.at));
	return [[status], [` for at least ${lasted}`, 'faint']];
}

/**
 * Says how old the data is. The kind of read is not named, because it alternates every second. Only data of an
 * earlier run is named as such.
 */
export function dataAgeText(
	account: AccountState,
	computer: ComputerState,
	{ now, theme }: CellContext,
): string {
	const answer = statusAnswerOf(account, computer);
	if (!answer) return 'not read yet';
	const source = answer.from === 'recalled' ? ' (from an earlier run)' : '';
	return `${theme.times.duration(now - answer.at)} old${source}`;
}

/** Says why the last read of this computer alone failed; undefined if it did not. */
export function failingReadText(
	{ computerReads }: AccountState,
	{ id }: ComputerState,
): string | undefined {
	const { failing } = computerReads.get(id) ?? {};
	const failure = (failing?.status ?? failing?.detail)?.failure;
	return failure && `The next read failed: ${failure.message}`;
}
