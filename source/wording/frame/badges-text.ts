import { fitToWidth } from '../../drawing/span.ts';
import { type AccountProfile, readOnlyMark } from '../../fleet/computers/account-profile.ts';
import type { Badge, Theme } from '../../lines/theme.ts';

//  prod    work  lab*    5 accounts      read-only    locked

type BadgeOptions = {
	badge: Badge | undefined;
	profiles?: readonly AccountProfile[] | undefined;
	width: number;
	theme: Theme;
};

export const badgesWidth = (options: BadgeOptions) =>
	badgesOf(options).reduce(
		(sum, badge) => sum + 1 + options.theme.ruler.width(paddedBadge(badge, options.theme).text),
		0,
	);

/** Returns the warning that nothing can be changed. */
export function stateBadge({
	isReadOnly,
	isLocked,
}: {
	isReadOnly: boolean;
	isLocked: boolean;
}): Badge | undefined {
	if (isReadOnly) return { text: ' read-only ', colour: 'yellow' };
	return isLocked ? { text: ' locked ', colour: 'yellow' } : undefined;
}

export const stateWidthOf = (state: Badge | undefined, theme: Theme) =>
	state ? theme.ruler.width(state.text) + 1 : 0;

// The most badges that leave enough room for the rest of the line.
const maxBadges = 4;

const minWidthForBadges = 120;

/** Returns the badge of the only account, or one for each of several accounts. */
export function badgesOf({ badge, profiles = [], width }: BadgeOptions): readonly Badge[] {
	if (badge) return [badge];
	if (profiles.length < 2) return [];
	if (profiles.length > maxBadges || width < minWidthForBadges)
		return [{ text: `${profiles.length} accounts`, colour: undefined }];
	return profiles.map(profile => {
		const { shortName, colour } = profile;
		return { text: `${shortName}${readOnlyMark(profile, profiles)}`, colour };
	});
}

const maxBadgeWidth = 16;

export function paddedBadge(
	{ text, colour }: Badge,
	theme: Theme,
	maxWidth = maxBadgeWidth,
): Badge {
	// A badge that is cut to its first letter still has its colour.
	const cells = Math.min(maxBadgeWidth, Math.max(1, maxWidth), theme.ruler.width(text));
	const fitted = fitToWidth([[text]], cells, theme)
		.map(([part]) => part)
		.join('');
	return { text: ` ${fitted} `, colour };
}
