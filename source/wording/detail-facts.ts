import type { LabelledValue } from '../drawing/label-value.ts';
import type { Span } from '../drawing/span.ts';
import { timeText } from '../drawing/time-text.ts';
import { isBehind } from '../fleet/version.ts';
import { type StatusAnswer, statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import type { CellContext } from './cell-context.ts';
import { sleepText } from './plan-text.ts';

/**
 * Lists the properties of a computer with their labels. A property that the platform does not report is left
 * out.
 */
export function detailFacts(
	account: AccountState,
	computer: ComputerState,
	context: CellContext,
): readonly LabelledValue[] {
	const { reading } = computer;
	const { subscription } = account;
	const text = (value: string | null | undefined): readonly Span[] => (value ? [[value]] : []);
	const when = (at: number | null | undefined) =>
		typeof at === 'number' ? whenSpans(at, context) : [];
	const all: readonly LabelledValue[] = [
		['Address', text(reading.address)],
		['Version', versionSpans(computer, context)],
		['Status', statusSpans(computer, context)],
		['Data', dataAgeSpans(account, computer, context)],
		['Created', when(reading.createdAt)],
		['Started', when(reading.startedAt)],
		['Changed', when(reading.updatedAt)],
		['Plan', text(subscription && `${subscription.planName}, ${sleepText(subscription.plan)}`)],
		['Location', text(reading.location)],
		['Server', text(reading.serverType)],
		['Provider', text(reading.provider)],
	];
	return all.filter(([, value]) => value.length > 0);
}

function whenSpans(at: number, { now, theme }: CellContext): readonly Span[] {
	return [[timeText(at, now)], [` (${theme.times.age(now - at)} ago)`, 'faint']];
}

function versionSpans({ reading }: ComputerState, { latest, theme }: CellContext): readonly Span[] {
	const { version } = reading;
	if (!version) return [[latest ? `unknown, latest is ${latest}` : 'unknown', 'faint']];
	if (isBehind(version, latest)) {
		return [[version], [` ${theme.glyphs.update} ${latest} is out`, 'accent']];
	}
	return version === latest ? [[version], [' (latest)', 'faint']] : [[version]];
}

/**
 * Shows the status in the platform's own word. All other places show the phase that the status stands for.
 */
function statusSpans(
	{ reading, since }: ComputerState,
	{ now, theme }: CellContext,
): readonly Span[] {
	const status = reading.status ?? 'not reported';
	const time = timeText(since.at, now);
	if (!since.isLowerBound) return [[status], [` since ${time}`, 'faint']];
	const lasted = theme.times.span(now - since.at);
	return [[status], [` for at least ${lasted} (watched since ${time})`, 'faint']];
}

const sources: Readonly<Record<StatusAnswer['from'], string>> = {
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
	const sight = statusAnswerOf(account, computer);
	const seen: Span = sight
		? [`${theme.times.wait(now - sight.at)} old (from: ${sources[sight.from]})`]
		: ['not read yet', 'faint'];
	const { failing } = account.computerReads.get(computer.id) ?? {};
	const failure = (failing?.status ?? failing?.detail)?.failure;
	return failure ? [seen, [`; the next read failed: ${failure.message}`, 'busy']] : [seen];
}
