import { cheapestStyleForSpace, isSameStyle, plainStyle, type Style } from './style.ts';

// No screen has this many styles. What comes after them is computed each time.
const maxStyles = 1000;

const knownStyles = new Map<string, Style>();
const numberedStyles: Style[] = [plainStyle];
const numbers = new WeakMap<Style, number>([[plainStyle, 0]]);

/** Returns the one object that stands for all equal styles, so that what is computed for a style can be kept. */
export function sharedStyle(style: Style): Style {
	const { foreground, background, underline, flags, link } = style;
	if (isSameStyle(style, plainStyle)) return plainStyle;
	// Links have countless addresses.
	if (link !== '') return style;
	const key = `${foreground} ${background} ${underline} ${flags}`;
	const known = knownStyles.get(key);
	if (known === undefined && knownStyles.size < maxStyles) {
		knownStyles.set(key, style);
		numbers.set(style, numberedStyles.length);
		numberedStyles.push(style);
	}
	return known ?? style;
}

/** Returns a number that only equal styles share; undefined for a link, and for a style when too many are known. */
export function numberOfStyle(style: Style): number | undefined {
	const number = numbers.get(style);
	if (number !== undefined) return number;
	const found = numbers.get(sharedStyle(style));
	// The next look-up of this object finds the number at once.
	if (found !== undefined) numbers.set(style, found);
	return found;
}

export const numberedStyle = (number: number): Style => numberedStyles[number] ?? plainStyle;

/**
 * Keeps what a function returns for two styles. A page changes its style a thousand times, but between few different
 * ones.
 */
export function keptForStyles<R extends string | Style>(
	compute: (one: Style, other: Style) => R,
): (one: Style, other: Style) => R {
	const results = new WeakMap<Style, WeakMap<Style, R>>();
	return (one, other) => {
		let ofOne = results.get(one);
		if (ofOne === undefined) {
			ofOne = new WeakMap();
			results.set(one, ofOne);
		}
		let result = ofOne.get(other);
		if (result === undefined) {
			result = compute(one, other);
			ofOne.set(other, result);
		}
		return result;
	};
}

/** Returns the style in which a space that should look like the first style follows text in the second. */
export const styleForSpace = keptForStyles((desired, current) =>
	sharedStyle(cheapestStyleForSpace(desired, current)),
);
