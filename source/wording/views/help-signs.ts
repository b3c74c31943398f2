import type { Theme } from '../../drawing/theme.ts';
import { aboutSign } from '../../drawing/time-text.ts';

/** A sign of the screen and what it means. */
export type HelpSign = readonly [sign: string, meaning: string];

/** Lists the signs that the screen uses without a word beside them. */
export function helpSigns({ glyphs }: Theme): readonly HelpSign[] {
	const { gauge, dayStrip } = glyphs;
	return [
		[glyphs.busy, 'changing; beside the connection: waits for the next read'],
		[glyphs.updateAvailable, 'behind: a newer version is out'],
		[glyphs.outdated, 'the status is old: it was not read lately'],
		[glyphs.atLeast, 'at least: the beginning was not seen'],
		[aboutSign, 'an estimate'],
		[glyphs.mark, 'marked'],
		[glyphs.kept, 'stays until its operation is over, though the filter hides it'],
		[glyphs.replay, 'the time in a recording'],
		[
			`reads ${gauge.used}${gauge.free}`,
			'requests of this minute, by everyone, and the limit of the platform',
		],
		[
			`24 h ${dayStrip.unseen}${glyphs.sparklineHeights[0] ?? ''}`,
			`how much happened in each hour; ${glyphs.error} where something failed`,
		],
	];
}
