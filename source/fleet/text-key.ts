// No fleet has so many: they are this many only when most are names that nobody has now.
const mostKnown = 50_000;

/**
 * Makes keys that compare, letter by letter, as texts do in which numbers count as numbers: web-9 goes
 * before web-10. Nothing of a locale is loaded for it: that would cost more than all the rest.
 */
export function createTextKeys(): (text: string) => string {
	const known = new Map<string, string>();
	return text => {
		let key = known.get(text);
		if (key !== undefined) return key;
		if (known.size >= mostKnown) known.clear();
		key = text.toLowerCase().replace(/\d+/g, number => {
			const digits = number.replace(/^0+(?=.)/, '');
			// A longer number is a larger one: its length stands before it, where digits stand.
			return String.fromCharCode(0x2f + digits.length) + digits;
		});
		known.set(text, key);
		return key;
	};
}
