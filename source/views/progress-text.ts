import { operations } from '../operations/operations.ts';
import type { Picture } from '../operations/path.ts';
import type { Screen } from '../store/screen.ts';
import { bar } from './bar.ts';
import { fitted, painted, type Span } from './span.ts';
import type { Theme } from './theme.ts';

//  Stopping 40   ━━━━━━━━━━━━╸────────────  18 done  1 failed  21 waiting   about 42s left   (Esc stops asking)
//  Stopped 38 of 40: 2 failed, kepler: already in progress   (F asks about those again, Esc puts it away)

type Asked = {
	/** Its keys hold in the table only. */
	screen: Pick<Screen, 'view' | 'isHelpOpen' | 'isFiltering'>;
	width: number;
	theme: Theme;
};

/** How the newest batch goes, or how it went until that was put away. */
export function progressLine(
	{ screen, width, theme }: Asked,
	batches: Picture['batches'],
	timeLeft: (batch: string) => number,
): string | undefined {
	const batch = batches.find(({ isOver }) => !isOver) ?? batches.at(-1);
	if (!batch || batch.total < 2) return undefined;
	const isTable = screen.view === 'fleet' && !screen.isHelpOpen && !screen.isFiltering;
	const hints = (keys: string) => (isTable ? `   (${keys})` : '');
	const { doing, done } = operations[batch.operation];
	const { counts, total, failures } = batch;
	const word = done.slice(0, 1).toUpperCase() + done.slice(1);
	if (batch.isOver) {
		const [first] = failures;
		const why = first ? `: ${counts.failed} failed, ${first.name}: ${first.message}` : '';
		const left = counts.cancelled > 0 ? `, ${counts.cancelled} called off` : '';
		const keys = hints(first ? 'F asks about those again, Esc puts it away' : 'Esc puts it away');
		const spans: readonly Span[] = [
			[` ${word} ${counts.done} of ${total}${left}`],
			[why, 'bad'],
			[keys, 'faint'],
		];
		return painted(fitted(spans, width, theme), theme);
	}
	const ended = total - counts.waiting - counts.underWay;
	const parts: readonly Span[] = [
		[`  ${counts.done} done`, 'good'],
		...(counts.failed > 0 ? [[`  ${counts.failed} failed`, 'bad'] as const] : []),
		[`  ${counts.waiting} waiting`],
		[`   about ${theme.times.age(timeLeft(batch.id))} left`, 'faint'],
		[hints('Esc stops asking'), 'faint'],
	];
	const spans = [
		[` ${doing} ${total}  `] as const,
		...(width >= 60 ? bar(ended / total, 24, theme, 'accent') : []),
		...parts,
	];
	return painted(fitted(spans, width, theme), theme);
}
