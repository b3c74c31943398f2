import type { RateLimitUsage } from '../../fleet/fact.ts';
import type { Theme } from '../../lines/theme.ts';
import { aboutSign } from '../../lines/time-text.ts';

/** A sign of the screen and what it means. */
export type HelpSign = readonly [sign: string, meaning: string];

/** Lists the signs of the screen, and the limits of requests, which nothing else on the screen names. */
export function helpSigns(
	{ glyphs }: Theme,
	limits: RateLimitUsage | undefined,
): readonly HelpSign[] {
	const signs: readonly HelpSign[] = [
		[glyphs.error, 'error'],
		[glyphs.busy, 'changing, or waiting for the limits'],
		[glyphs.updateAvailable, 'behind the latest version'],
		[glyphs.unknown, 'unknown or old'],
		[glyphs.atLeast, 'at least'],
		[aboutSign, 'an estimate'],
		[glyphs.mark, 'marked'],
		[glyphs.kept, 'stays while it is worked on'],
		[glyphs.dayStrip.operation, 'an operation'],
		[glyphs.dayStrip.unseen, 'not watched'],
	];
	if (!limits) return signs;
	const { other, status } = limits;
	const used = `reads ${other.spent} of ${other.limit}, statuses ${status.spent} of ${status.limit}`;
	return [...signs, ['Limits', `this minute: ${used}`]];
}
