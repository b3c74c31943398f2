/**
 * Compares dotted version numbers; the result is below zero when `a` is older. 1.4 is older than 1.4.1, and a
 * pre-release is older than its release (1.4.0-rc < 1.4.0).
 */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [partsOf(a), partsOf(b)];
	return (
		compareParts(left.numbers, right.numbers) ||
		Number(left.early.length === 0) - Number(right.early.length === 0) ||
		compareParts(left.early, right.early)
	);
}

/** Whether a newer version is available. An unknown version is never behind. */
export function isBehind(version: string | null | undefined, latest: string | undefined): boolean {
	return Boolean(version && latest) && compareVersions(version ?? '', latest ?? '') < 0;
}

function partsOf(version: string) {
	const [plain = ''] = version
		.trim()
		.replace(/^v(?=\d)/i, '')
		.split('+');
	const hyphen = plain.indexOf('-');
	const [numbers, early] =
		hyphen < 0 ? [plain, ''] : [plain.slice(0, hyphen), plain.slice(hyphen + 1)];
	return { numbers: numbers.split('.'), early: early === '' ? [] : early.split('.') };
}

function compareParts(left: readonly string[], right: readonly string[]): number {
	const length = Math.max(left.length, right.length);
	for (let place = 0; place < length; place += 1) {
		const order = comparePart(left[place], right[place]);
		if (order !== 0) return order;
	}
	return 0;
}

function comparePart(a: string | undefined, b: string | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return -1;
	if (b === undefined) return 1;
	const [left, right] = [Number.parseInt(a, 10), Number.parseInt(b, 10)];
	if (left !== right && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
	return a < b ? -1 : 1;
}
